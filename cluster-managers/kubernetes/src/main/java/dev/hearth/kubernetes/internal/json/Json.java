package dev.hearth.kubernetes.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Trees of JSON, as the objects of Kubernetes are, and their texts. Reads and writes without the object mapper of Jackson,
 * whose 400 classes would take a part of each start. Pure.
 */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    public static ArrayNode array() {
        return NODES.arrayNode();
    }

    public static ObjectNode object(Map<String, String> values) {
        ObjectNode object = object();
        values.forEach(object::put);
        return object;
    }

    /** Element of a list of Kubernetes that has a name. */
    public static ObjectNode named(String name) {
        return object().put("name", name);
    }

    /** Parser of JSON; close it. */
    public static JsonParser parser(byte[] text) throws IOException {
        return FACTORY.createParser(text);
    }

    /** The tree of a text; a missing node if the text is empty. */
    public static JsonNode read(byte[] text) throws IOException {
        try (JsonParser parser = parser(text)) {
            return read(parser);
        }
    }

    /** The next tree of {@code parser}, of JSON or YAML; a missing node if there is none. */
    public static JsonNode read(JsonParser parser) throws IOException {
        return parser.nextToken() == null ? MissingNode.getInstance() : value(parser);
    }

    private static JsonNode value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                ObjectNode object = object();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.set(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                ArrayNode array = array();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> integer(parser);
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            default -> NODES.textNode(parser.getText());
        };
    }

    private static JsonNode integer(JsonParser parser) throws IOException {
        return switch (parser.getNumberType()) {
            case INT -> NODES.numberNode(parser.getIntValue());
            case LONG -> NODES.numberNode(parser.getLongValue());
            default -> NODES.numberNode(parser.getBigIntegerValue());
        };
    }

    /** The text of a tree, without blanks. */
    public static String text(JsonNode tree) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            write(tree, generator);
        } catch (IOException impossible) { // in memory
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void write(JsonNode tree, JsonGenerator out) throws IOException {
        switch (tree.getNodeType()) {
            case OBJECT -> {
                out.writeStartObject();
                for (Map.Entry<String, JsonNode> field : tree.properties()) {
                    out.writeFieldName(field.getKey());
                    write(field.getValue(), out);
                }
                out.writeEndObject();
            }
            case ARRAY -> {
                out.writeStartArray();
                for (JsonNode element : tree) {
                    write(element, out);
                }
                out.writeEndArray();
            }
            case STRING -> out.writeString(tree.textValue());
            case BOOLEAN -> out.writeBoolean(tree.booleanValue());
            case NUMBER -> out.writeNumber(tree.asText());
            case NULL, MISSING -> out.writeNull();
            default -> throw new IllegalArgumentException(tree.getNodeType() + " (expected: a tree of JSON)");
        }
    }
}
