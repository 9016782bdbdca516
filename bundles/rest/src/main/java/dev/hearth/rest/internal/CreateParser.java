package dev.hearth.rest.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request to run an application. Checks the form of the message and the types of some properties, as
 * Spark does. Used once.
 */
final class CreateParser {
    private static final JsonFactory JSON = new JsonFactory();

    private @Nullable String action;
    private @Nullable String clientVersion;
    private @Nullable String appResource;
    private @Nullable String mainClass;
    private @Nullable Map<String, String> properties;
    private Map<String, String> environment = Map.of();
    private List<String> arguments = List.of();
    private final List<String> unknown = new ArrayList<>();

    private CreateParser() {}

    /** Parses {@code body}. Any bytes lead to a request or to a refusal. */
    static CreateRequest parse(byte[] body) throws V1Refusal {
        CreateParser parser = new CreateParser();
        try (JsonParser in = JSON.createParser(body)) {
            parser.readMessage(in);
        } catch (JsonProcessingException malformed) {
            JsonLocation where = malformed.getLocation(); // none if the text is too deep or too long
            throw V1Refusal.malformed("not JSON: " + malformed.getOriginalMessage() + " (expected: an object)"
                    + (where == null ? "" : " at line " + where.getLineNr() + ", column " + where.getColumnNr()));
        } catch (IOException malformed) { // a body in memory: bytes that are no text
            throw V1Refusal.malformed("not JSON: " + malformed.getMessage() + " (expected: an object in UTF-8)");
        }
        return parser.checked();
    }

    private void readMessage(JsonParser in) throws IOException, V1Refusal {
        if (in.nextToken() != JsonToken.START_OBJECT) {
            throw V1Refusal.malformed("no object (expected: a JSON object with the field action)");
        }
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            in.nextToken();
            readField(name, in);
        }
        if (in.nextToken() != null) {
            throw V1Refusal.malformed("text after the message (expected: one JSON object)");
        }
    }

    private void readField(String name, JsonParser in) throws IOException, V1Refusal {
        switch (name) {
            case "action" -> action = text(name, in);
            case "clientSparkVersion" -> clientVersion = text(name, in);
            case "appResource" -> appResource = text(name, in);
            case "mainClass" -> mainClass = text(name, in);
            case "message" -> text(name, in);
            case "appArgs" -> arguments = texts(name, in);
            case "sparkProperties" -> properties = map(name, in);
            case "environmentVariables" -> {
                Map<String, String> read = map(name, in);
                environment = read == null ? Map.of() : read;
            }
            default -> {
                unknown.add(name);
                in.skipChildren();
            }
        }
    }

    private static @Nullable String text(String name, JsonParser in) throws IOException, V1Refusal {
        if (in.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        if (!in.currentToken().isScalarValue()) {
            throw V1Refusal.malformed("field " + name + ": no text (expected: a string)");
        }
        return in.getText(); // numbers and booleans are taken as they are written
    }

    private static List<String> texts(String name, JsonParser in) throws IOException, V1Refusal {
        if (in.currentToken() == JsonToken.VALUE_NULL) {
            return List.of();
        }
        if (in.currentToken() != JsonToken.START_ARRAY) {
            throw V1Refusal.malformed("field " + name + ": no array (expected: an array of strings)");
        }
        List<String> texts = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            String text = text(name, in);
            if (text == null) {
                throw V1Refusal.malformed("field " + name + ": null in it (expected: an array of strings)");
            }
            texts.add(text);
        }
        return texts;
    }

    /** Reads an object of scalars; a field that is null counts as absent. */
    private static @Nullable Map<String, String> map(String name, JsonParser in) throws IOException, V1Refusal {
        if (in.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw V1Refusal.malformed("field " + name + ": no object (expected: an object of strings)");
        }
        Map<String, String> map = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String key = in.currentName();
            in.nextToken();
            String value = text(name + "." + key, in);
            if (value != null) {
                map.put(key, value);
            }
        }
        return map;
    }

    private CreateRequest checked() throws V1Refusal {
        if (action == null) {
            throw V1Refusal.malformed("Action field not found in JSON");
        }
        if (!action.equals(V1Texts.CREATE_REQUEST)) {
            throw new V1Refusal(V1Refusal.BAD_REQUEST, V1Texts.unexpected(action));
        }
        if (clientVersion == null) {
            throw V1Refusal.malformed(V1Texts.missing("clientSparkVersion"));
        }
        if (properties == null) {
            throw V1Refusal.malformed(V1Texts.NO_PROPERTIES);
        }
        if (appResource == null) {
            throw V1Refusal.malformed(V1Texts.missing("appResource"));
        }
        if (mainClass == null) {
            throw V1Refusal.malformed(V1Texts.NO_MAIN_CLASS);
        }
        PropertyTypes.check(properties);
        return new CreateRequest(appResource, mainClass, arguments, properties, environment, unknown);
    }
}
