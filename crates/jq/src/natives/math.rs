//! Functions of numbers: those of the C library.

use super::{Native, native};
use crate::error::{Result, about};
use crate::value::{Type, Value};

/// A function of one number.
macro_rules! unary {
    ($name:literal, $function:expr) => {
        native($name, 0, |input, _| {
            let function: fn(f64) -> f64 = $function;
            Ok(Value::Number(function(number(&input)?)))
        })
    };
}

/// A function of two numbers, both arguments.
macro_rules! binary {
    ($name:literal, $function:expr) => {
        native($name, 2, |_, arguments| {
            let function: fn(f64, f64) -> f64 = $function;
            Ok(Value::Number(function(
                number(&arguments[0])?,
                number(&arguments[1])?,
            )))
        })
    };
}

/// A property of a number.
macro_rules! test {
    ($name:literal, $function:expr) => {
        native($name, 0, |input, _| {
            let function: fn(f64) -> bool = $function;
            // Any other value is false.
            Ok(input.as_f64().is_some_and(function).into())
        })
    };
}

pub(super) const NATIVES: &[Native] = &[
    unary!("floor", f64::floor),
    unary!("ceil", f64::ceil),
    unary!("round", f64::round),
    unary!("trunc", f64::trunc),
    unary!("rint", f64::round_ties_even),
    unary!("nearbyint", f64::round_ties_even),
    unary!("sqrt", f64::sqrt),
    unary!("cbrt", f64::cbrt),
    unary!("fabs", f64::abs),
    unary!("exp", f64::exp),
    unary!("exp2", f64::exp2),
    unary!("exp10", libm::exp10),
    unary!("expm1", f64::exp_m1),
    unary!("log", f64::ln),
    unary!("log2", f64::log2),
    unary!("log10", f64::log10),
    unary!("log1p", f64::ln_1p),
    unary!("logb", logb),
    unary!("sin", f64::sin),
    unary!("cos", f64::cos),
    unary!("tan", f64::tan),
    unary!("asin", f64::asin),
    unary!("acos", f64::acos),
    unary!("atan", f64::atan),
    unary!("sinh", f64::sinh),
    unary!("cosh", f64::cosh),
    unary!("tanh", f64::tanh),
    unary!("asinh", f64::asinh),
    unary!("acosh", f64::acosh),
    unary!("atanh", f64::atanh),
    unary!("gamma", libm::lgamma),
    unary!("lgamma", libm::lgamma),
    unary!("tgamma", libm::tgamma),
    unary!("j0", libm::j0),
    unary!("j1", libm::j1),
    unary!("y0", libm::y0),
    unary!("y1", libm::y1),
    unary!("erf", libm::erf),
    unary!("erfc", libm::erfc),
    unary!("significand", significand),
    native("lgamma_r", 0, |input, _| {
        let (value, sign) = libm::lgamma_r(number(&input)?);
        Ok(Value::array(vec![value.into(), f64::from(sign).into()]))
    }),
    native("frexp", 0, |input, _| {
        let (mantissa, exponent) = libm::frexp(number(&input)?);
        Ok(Value::array(vec![
            mantissa.into(),
            f64::from(exponent).into(),
        ]))
    }),
    native("modf", 0, |input, _| {
        let number = number(&input)?;
        let whole = number.trunc();
        let fraction = if number.is_infinite() {
            0.0
        } else {
            number - whole
        };
        Ok(Value::array(vec![
            fraction.copysign(number).into(),
            whole.into(),
        ]))
    }),
    native("abs", 0, |input, _| match input.type_of() {
        Type::Number => absolute(input),
        // They are less than 0.
        Type::Null | Type::False | Type::True => crate::ops::negate(input),
        _ => Ok(input),
    }),
    binary!("pow", f64::powf),
    binary!("atan2", f64::atan2),
    binary!("fmin", f64::min),
    binary!("fmax", f64::max),
    binary!("fmod", |a, b| a % b),
    binary!("hypot", f64::hypot),
    binary!("fdim", libm::fdim),
    binary!("copysign", f64::copysign),
    binary!("drem", libm::remainder),
    binary!("remainder", libm::remainder),
    binary!("jn", |order, number| libm::jn(order as i32, number)),
    binary!("yn", |order, number| libm::yn(order as i32, number)),
    binary!("nextafter", libm::nextafter),
    binary!("nexttoward", libm::nextafter),
    binary!("ldexp", |number, exponent| libm::ldexp(
        number,
        exponent as i32
    )),
    binary!("scalb", |number, exponent| libm::scalbn(
        number,
        exponent as i32
    )),
    binary!("scalbln", |number, exponent| libm::scalbn(
        number,
        exponent as i32
    )),
    native("fma", 3, |_, arguments| {
        let [a, b, c] = [
            number(&arguments[0])?,
            number(&arguments[1])?,
            number(&arguments[2])?,
        ];
        Ok(Value::Number(a.mul_add(b, c)))
    }),
    test!("isnan", f64::is_nan),
    test!("isinfinite", f64::is_infinite),
    test!("isnormal", f64::is_normal),
];

fn number(value: &Value) -> Result<f64> {
    match value.as_f64() {
        Some(number) => Ok(number),
        None => Err(about(value, "number required")),
    }
}

/// The absolute value of a number; a literal keeps its digits.
pub(super) fn absolute(value: Value) -> Result<Value> {
    let number = number(&value)?;
    match number < 0.0 {
        true => crate::ops::negate(value),
        false if number == 0.0 => Ok(Value::Number(0.0)),
        false => Ok(value),
    }
}

fn logb(number: f64) -> f64 {
    match number {
        0.0 => f64::NEG_INFINITY,
        _ if number.is_nan() => number,
        _ if number.is_infinite() => f64::INFINITY,
        _ => f64::from(libm::ilogb(number)),
    }
}

fn significand(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        number
    } else {
        libm::scalbn(number, -libm::ilogb(number))
    }
}
