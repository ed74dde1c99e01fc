#!/usr/bin/env bash
# Times checks with JSON Schemas against other programs on the PATH, in turns; prints a record.
#
#   benches/schema.sh JSONX CORPORA [ROUNDS [MB]] > benches/record/MACHINE/schema.md
#
# CORPORA has citm_catalog.json and canada.json. MB is the size of the JSON Lines (1000), which only jsonx reads record by
# record. The others are jsonschema-cli (crates.io), check-jsonschema (PyPI) and ajv (npm, ajv-cli). Each result is asserted
# before it is timed: the files are valid, and one value of another type is found. The files are in TMPDIR.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
jsonx=$(realpath "$1")
corpora=$(realpath "$2")
rounds=${3:-5}
size=${4:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$here/turns.sh"

# A schema, a file that matches it, and one that does not.
rivals() {
    local schema=$1 files=$2
    job jsonx "$jsonx validate --schema $schema $files"
    job "jsonx, no lints" "$jsonx validate --allow all --schema $schema $files"
    if installed jsonschema-cli; then job jsonschema-cli "jsonschema-cli validate $schema $(printf -- '-i %s ' $files)"; fi
    if installed check-jsonschema; then job check-jsonschema "check-jsonschema --schemafile $schema $files"; fi
    if installed ajv; then job ajv-cli "ajv validate --strict=false --spec=draft2020 -s $schema $(printf -- '-d %s ' $files)"; fi
}
cat > package.schema.json << 'END'
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "required": ["name", "version"],
  "properties": {
    "name": {"type": "string", "pattern": "^(@[a-z0-9-]+/)?[a-z0-9._-]+$", "maxLength": 214},
    "version": {"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"},
    "private": {"type": "boolean"},
    "license": {"enum": ["MIT", "Apache-2.0", "ISC"]},
    "keywords": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
    "author": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/person"}]},
    "scripts": {"type": "object", "additionalProperties": {"type": "string"}},
    "dependencies": {"$ref": "#/$defs/versions"},
    "devDependencies": {"$ref": "#/$defs/versions"}
  },
  "additionalProperties": false,
  "$defs": {
    "person": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "email": {"type": "string"}}},
    "versions": {"type": "object", "additionalProperties": {"type": "string", "minLength": 1}}
  }
}
END
mkdir packages
for number in $(seq 1000); do
    cat > "packages/$number.json" << END
{
  "name": "@scope/package-$number",
  "version": "1.$number.0",
  "private": false,
  "license": "MIT",
  "keywords": ["json", "schema", "package", "k$number"],
  "author": {"name": "A. Author", "email": "author@example.com"},
  "scripts": {"build": "tsc -p .", "test": "node --test", "lint": "eslint .", "prepare": "npm run build"},
  "dependencies": {"left-pad": "^1.3.0", "lodash": "^4.17.21", "react": "^18.2.0", "react-dom": "^18.2.0"},
  "devDependencies": {"typescript": "^5.4.0", "eslint": "^9.1.0", "prettier": "^3.2.0", "vitest": "^1.5.0"}
}
END
done
cat > canada.schema.json << 'END'
{
  "type": "object",
  "required": ["type", "features"],
  "properties": {
    "type": {"const": "FeatureCollection"},
    "features": {"type": "array", "items": {"$ref": "#/$defs/feature"}}
  },
  "$defs": {
    "feature": {
      "type": "object",
      "required": ["type", "properties", "geometry"],
      "properties": {
        "type": {"const": "Feature"},
        "properties": {"type": "object", "additionalProperties": {"type": "string"}},
        "geometry": {
          "type": "object",
          "properties": {
            "type": {"enum": ["Polygon", "MultiPolygon"]},
            "coordinates": {"type": "array", "items": {"type": "array", "items": {"$ref": "#/$defs/position"}}}
          }
        }
      }
    },
    "position": {
      "type": "array",
      "prefixItems": [
        {"type": "number", "minimum": -180, "maximum": 180},
        {"type": "number", "minimum": -90, "maximum": 90}
      ],
      "minItems": 2,
      "maxItems": 2
    }
  }
}
END
cat > citm.schema.json << 'END'
{
  "type": "object",
  "required": ["events", "performances"],
  "properties": {
    "areaNames": {"$ref": "#/$defs/names"},
    "audienceSubCategoryNames": {"$ref": "#/$defs/names"},
    "events": {
      "type": "object",
      "propertyNames": {"pattern": "^[0-9]+$"},
      "additionalProperties": {
        "type": "object",
        "required": ["id", "name", "topicIds"],
        "properties": {
          "id": {"type": "integer", "minimum": 1},
          "name": {"type": "string"},
          "description": {"type": ["string", "null"]},
          "logo": {"type": ["string", "null"]},
          "subTopicIds": {"$ref": "#/$defs/ids"},
          "topicIds": {"$ref": "#/$defs/ids"}
        }
      }
    },
    "performances": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["eventId", "id", "prices", "seatCategories", "start", "venueCode"],
        "properties": {
          "eventId": {"type": "integer"},
          "id": {"type": "integer"},
          "prices": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["amount"],
              "properties": {"amount": {"type": "integer", "minimum": 0}, "seatCategoryId": {"type": "integer"}}
            }
          },
          "seatCategories": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "areas": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["areaId", "blockIds"],
                    "properties": {"areaId": {"type": "integer"}, "blockIds": {"$ref": "#/$defs/ids"}},
                    "additionalProperties": false
                  }
                },
                "seatCategoryId": {"type": "integer"}
              }
            }
          },
          "start": {"type": "integer"},
          "venueCode": {"type": "string"}
        }
      }
    }
  },
  "$defs": {
    "names": {"type": "object", "additionalProperties": {"type": "string"}},
    "ids": {"type": "array", "items": {"type": "integer", "minimum": 0}}
  }
}
END
cp "$corpora/canada.json" "$corpora/citm_catalog.json" .
cat > line.schema.json << 'END'
{
  "type": "object",
  "required": ["id", "user", "tags"],
  "properties": {
    "id": {"type": "integer", "minimum": 0},
    "user": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1}}},
    "tags": {"type": "array", "items": {"type": "string"}},
    "score": {"type": "number", "maximum": 100}
  },
  "additionalProperties": false
}
END
awk -v bytes="$((size * 1000000))" 'BEGIN {
    for (number = 0; sum < bytes; number++) {
        line = "{\"id\": " number ", \"user\": {\"name\": \"user " number "\"}, \"tags\": [\"a\", \"b\", \"c\"], \"score\": " (number % 1000) / 10 "}"
        print line
        sum += length(line) + 1
    }
}' > lines.jsonl
sed 's/"name": "@scope[^"]*"/"name": 1/' packages/1.json > wrong.json
assert "packages match" "$jsonx" validate -q --schema package.schema.json packages
assert "canada matches" "$jsonx" validate -q --schema canada.schema.json canada.json
assert "citm matches" "$jsonx" validate -q --schema citm.schema.json citm_catalog.json
assert "a name is a string" [ "$("$jsonx" validate --schema package.schema.json --reporter concise wrong.json | grep -c schema/type)" = 1 ]

echo "# JSON Schema, $(date -u +%Y-%m-%d)"
echo
echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | sort -u), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg) at the" \
    "beginning; $("$jsonx" --version | sed -n 1p). By [schema.sh](../../schema.sh): $rounds rounds in turns, wall clock."
if installed jsonschema-cli; then echo "$(jsonschema-cli --version)."; fi
if installed check-jsonschema; then echo "$(check-jsonschema --version)."; fi
rivals package.schema.json "$(echo packages/*.json)"
job "jsonx, no schema" "$jsonx validate $(echo packages/*.json)"
measure "1,000 files like package.json"
rivals canada.schema.json canada.json
measure "canada.json, 2.3 MB"
rivals citm.schema.json citm_catalog.json
measure "citm_catalog.json, 1.7 MB"
job "jsonx" "$jsonx validate --schema line.schema.json lines.jsonl"
job "jsonx, one thread" "$jsonx validate --threads 1 --schema line.schema.json lines.jsonl"
measure "$size MB of JSON Lines"
