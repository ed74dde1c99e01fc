//! Modules: metadata, imports and definitions.

use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;

use super::single::decide_again;
use super::{Entry, Output, Parsed, Parser};
use crate::lex::Token;
use crate::modules::{Import, Loader};
use crate::program_error::{ProgramError, Span};
use crate::settings::Settings;
use crate::term::{Function, Node, Parameter, Term};
use crate::value::{Value, read_all};

/// The start of a module or program.
#[derive(Default)]
pub(super) struct Header {
    /// From `module {…};`.
    metadata: Option<Value>,
    imports: Vec<Import>,
}

/// A module that is being read.
#[derive(Clone)]
pub(super) struct Module {
    file: PathBuf,
    /// The import in the text of the importer, which is the program unless it is a module, too.
    import: Span,
    importer: Option<Rc<(Module, String)>>,
}

impl Module {
    /// An error in its text, at the import.
    fn error(&self, text: &str, error: ProgramError) -> ProgramError {
        let (line, column) = error.position(text);
        let file = self.file.display();
        ProgramError {
            message: format!("{file}:{line}:{column}: {}", error.message),
            span: self.import,
            ..error
        }
    }

    /// An error in its text, at the import in the program.
    pub(super) fn error_in_program(&self, text: &str, error: ProgramError) -> ProgramError {
        let mut error = self.error(text, error);
        let mut importer = &self.importer;
        while let Some(outer) = importer {
            let (module, text) = &**outer;
            error = module.error(text, error);
            importer = &module.importer;
        }
        error
    }
}

impl Parser<'_, '_> {
    pub(super) fn header(&mut self) -> Parsed<Header> {
        let mut header = Header::default();
        if self.accept("module") {
            header.metadata = Some(self.metadata()?);
            self.expect(";")?;
        }
        while self.is("import") || self.is("include") {
            let start = self.span;
            let is_include = self.is("include");
            self.advance();
            let path = self.import_path()?;
            let mut name = None;
            if !is_include {
                self.expect("as")?;
                name = match self.token {
                    Token::Word | Token::Variable => Some(self.text().into()),
                    _ => return Err(self.unexpected("a name")),
                };
                self.advance();
            }
            let mut metadata = None;
            if !self.is(";") {
                metadata = Some(self.metadata()?);
            }
            self.expect(";")?;
            let span = start.to(self.last);
            header.imports.push(Import {
                path,
                name,
                metadata,
                span,
            });
        }
        Ok(header)
    }

    /// The metadata of a module or an import: a constant object.
    fn metadata(&mut self) -> Parsed<Value> {
        let start = self.span;
        let node = self.postfix()?;
        let message = match constant(&node) {
            Some(metadata @ Value::Object(_)) => return Ok(metadata),
            Some(_) => "module metadata must be an object",
            None => "module metadata must be constant",
        };
        Err(ProgramError::new(message.into(), start.to(self.last)))
    }

    /// Brings imported names into scope.
    pub(super) fn load(&mut self, header: &Header) {
        for import in &header.imports {
            if let Err(error) = self.load_import(import) {
                self.report(error);
            }
        }
    }

    fn load_import(&mut self, import: &Import) -> Parsed<()> {
        let failed = |message: String| ProgramError::new(message, import.span);
        let (file, text) = self.output.loader.find_import(import)?;
        if import.is_data() {
            let values = read_all(text.as_bytes())
                .map_err(|reason| failed(format!("{} is not JSON: {reason}", file.display())))?;
            let value = Value::array(values);
            let name = import.bare_name().unwrap_or_default();
            for name in [format!("${name}"), format!("${name}::{name}")] {
                self.scope.push(Entry::Global(name.into(), value.clone()));
            }
            return Ok(());
        }
        let own = self.load_module(file, import.span, &text)?;
        for entry in own {
            if let Entry::Function(name, arity, id, depth) = entry {
                let name = match &import.name {
                    Some(module) => format!("{module}::{name}").into(),
                    None => name,
                };
                self.scope.push(Entry::Function(name, arity, id, depth));
            }
        }
        Ok(())
    }

    /// Brings the definitions of the user's own file into scope, if there is one.
    pub(super) fn load_home(&mut self) {
        let Some((file, text)) = self.output.loader.home() else {
            return;
        };
        match self.load_module(file, Span::default(), &text) {
            Ok(own) => self.scope.extend(own),
            Err(error) => self.report(error),
        }
    }

    /// The definitions of a module.
    fn load_module(&mut self, file: PathBuf, import: Span, text: &str) -> Parsed<Vec<Entry>> {
        let importer = self.module.clone();
        let importer = importer.map(|module| Rc::new((module, self.program.to_owned())));
        let source = Module {
            file,
            import,
            importer,
        };
        self.output.loader.enter(&source.file);
        let mut module = Parser::new(text, self.output);
        module.module = Some(source.clone());
        // A module sees the variables of the command line, but no definitions of its importer.
        let globals = self.scope.iter();
        let globals = globals.filter(|entry| matches!(entry, Entry::Global(..)));
        module.scope.extend(globals.cloned());
        let parsed = module.module();
        self.output.loader.leave();
        parsed.map_err(|error| source.error(text, error))
    }

    /// A module; returns its definitions.
    fn module(mut self) -> Parsed<Vec<Entry>> {
        let header = self.header()?;
        self.load(&header);
        let imported = self.scope.len();
        self.definitions()?;
        self.end()?;
        Ok(self.scope.split_off(imported))
    }

    pub(super) fn definitions(&mut self) -> Parsed<()> {
        while self.is("def") {
            self.definition()?;
        }
        Ok(())
    }

    /// A definition, which comes into scope.
    pub(super) fn definition(&mut self) -> Parsed<()> {
        self.advance();
        let name: Rc<str> = match self.token {
            Token::Word if !self.text().contains("::") => self.text().into(),
            _ => return Err(self.unexpected("a name")),
        };
        self.advance();
        let mut names: Vec<Rc<str>> = Vec::new();
        if self.accept("(") {
            loop {
                match self.token {
                    Token::Word | Token::Variable => names.push(self.text().into()),
                    _ => return Err(self.unexpected("the name of a parameter")),
                }
                self.advance();
                if !self.accept(";") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect(":")?;
        let id = self.output.compiled.functions.len();
        self.output.compiled.functions.push(None);
        self.scope
            .push(Entry::Function(name, names.len(), id, self.depth));
        let outer = self.position();
        let mut parameters = Vec::new();
        for name in names {
            let is_value = name.starts_with('$');
            let is_called = Rc::new(Cell::new(false));
            self.enter(match is_value {
                true => Entry::Parameter(name, self.depth, is_called.clone()),
                false => Entry::Closure(name, self.depth),
            });
            parameters.push((is_value, is_called));
        }
        let outer_function = self.function.replace(id);
        let body = self.pipe()?;
        self.expect(";")?;
        self.leave(outer);
        self.function = outer_function;
        let parameters = parameters
            .iter()
            .map(|(is_value, is_called)| match is_value {
                false => Parameter::Closure,
                true if is_called.get() => Parameter::Both,
                true => Parameter::Value,
            });
        let parameters = parameters.collect();
        let is_single = body.single.get();
        self.output.compiled.functions[id] = Some(Function { parameters, body });
        if self.output.assumed && !is_single {
            decide_again(&self.output.compiled, id);
        }
        Ok(())
    }
}

/// The result of `modulemeta` for a module.
pub(crate) fn meta(name: &str, settings: &Settings) -> Option<Value> {
    let (_, text) = Loader::new(settings).find(name, None, false)?;
    let mut output = Output::new(settings);
    let mut module = Parser::new(&text, &mut output);
    let header = module.header().ok()?;
    module.definitions().ok()?;
    module.end().ok()?;
    let dependencies = header.imports.iter().map(|import| {
        let mut members = members(import.metadata.as_ref());
        if let Some(name) = import.bare_name() {
            members.push(("as".into(), name.into()));
        }
        members.push(("is_data".into(), import.is_data().into()));
        members.push(("relpath".into(), Value::String(import.path.clone())));
        Value::object(members)
    });
    let definitions = module.scope.iter().filter_map(|entry| match entry {
        Entry::Function(name, arity, ..) => Some(Value::from(format!("{name}/{arity}"))),
        _ => None,
    });
    let mut members = members(header.metadata.as_ref());
    members.push(("deps".into(), Value::array(dependencies.collect())));
    members.push(("defs".into(), Value::array(definitions.collect())));
    Some(Value::object(members))
}

fn members(object: Option<&Value>) -> Vec<(Rc<str>, Value)> {
    match object {
        Some(Value::Object(members)) => members
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
        _ => Vec::new(),
    }
}

/// The value of a constant expression.
fn constant(node: &Node) -> Option<Value> {
    match &node.term {
        Term::Constant(value) => Some(value.clone()),
        Term::Array(Some(items)) => {
            let mut values = Vec::new();
            let mut rest = &**items;
            while let Term::Comma(left, right) = &rest.term {
                values.push(constant(right)?);
                rest = left;
            }
            values.push(constant(rest)?);
            values.reverse();
            Some(Value::array(values))
        }
        Term::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| Some((constant(key)?.to_rc_str()?, constant(value)?)));
            Some(Value::object(members.collect::<Option<Vec<_>>>()?))
        }
        _ => None,
    }
}
