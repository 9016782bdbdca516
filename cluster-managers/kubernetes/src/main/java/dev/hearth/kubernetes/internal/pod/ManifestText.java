package dev.hearth.kubernetes.internal.pod;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.json.Json;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;

/** Objects as YAML for people, with the data of secrets left out. Pure. */
public final class ManifestText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9/._-]*( [A-Za-z0-9/._-]+)*");
    private static final Pattern NOT_TEXT = Pattern.compile("(?i)true|false|yes|no|on|off|null|y|n");
    private static final String STEP = "  ";

    private ManifestText() {}

    /** One YAML document, which begins with its separator. */
    public static String of(ApiObject object) {
        try {
            JsonNode tree = Json.read(object.json().getBytes(UTF_8));
            if (tree.get("data") instanceof ObjectNode data) {
                data.properties().forEach(entry -> entry.setValue(masked(entry.getValue())));
            }
            return of(tree);
        } catch (IOException impossible) {
            throw new IllegalStateException(object + ": malformed (expected: JSON)", impossible);
        }
    }

    /** The document of {@code tree}, as it is. */
    public static String of(JsonNode tree) {
        StringBuilder text = new StringBuilder("---\n");
        mapping(tree, "", text);
        return text.toString();
    }

    private static JsonNode masked(JsonNode value) {
        return TextNode.valueOf("(" + value.asText().length() + " characters of Base64, not shown)");
    }

    private static void mapping(JsonNode object, String indent, StringBuilder text) {
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            text.append(indent).append(scalar(entry.getKey())).append(':');
            value(entry.getValue(), indent, text);
        }
    }

    private static void value(JsonNode value, String indent, StringBuilder text) {
        if (value.isObject() && !value.isEmpty()) {
            text.append('\n');
            mapping(value, indent + STEP, text);
        } else if (value.isArray() && !value.isEmpty()) {
            text.append('\n');
            for (JsonNode element : value) {
                element(element, indent, text);
            }
        } else {
            text.append(' ').append(single(value)).append('\n');
        }
    }

    private static void element(JsonNode element, String indent, StringBuilder text) {
        if (element.isObject() && !element.isEmpty()) {
            StringBuilder inner = new StringBuilder();
            mapping(element, indent + STEP, inner);
            text.append(indent).append("- ").append(inner, indent.length() + STEP.length(), inner.length());
        } else {
            text.append(indent).append("- ").append(single(element)).append('\n');
        }
    }

    private static String single(JsonNode value) {
        return value.isTextual() ? scalar(value.asText()) : Json.text(value);
    }

    private static String scalar(String text) {
        boolean isPlain =
                PLAIN.matcher(text).matches() && !NOT_TEXT.matcher(text).matches();
        return isPlain ? text : Json.text(TextNode.valueOf(text)); // JSON text is YAML
    }
}
