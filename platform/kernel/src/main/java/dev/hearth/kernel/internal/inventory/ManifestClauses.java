package dev.hearth.kernel.internal.inventory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parser of manifest headers such as {@code Export-Package}, whose clauses consist of paths, attributes and directives.
 * Stateless.
 */
public final class ManifestClauses {
    private ManifestClauses() {}

    /**
     * One clause of a manifest header. {@code attributes} maps the names of attributes, without types, to values
     * without quotes. It also contains the directives, under names that end in a colon.
     */
    public record Clause(List<String> paths, Map<String, String> attributes) {}

    public static List<Clause> parse(String header) {
        List<Clause> clauses = new ArrayList<>();
        for (String text : split(header, ',')) {
            List<String> paths = new ArrayList<>();
            Map<String, String> attributes = new LinkedHashMap<>();
            for (String part : split(text, ';')) {
                int equals = part.indexOf('=');
                int quote = part.indexOf('"');
                if (equals < 0 || (quote >= 0 && quote < equals)) {
                    paths.add(part.strip());
                } else {
                    attributes.put(name(part.substring(0, equals).strip()), value(part.substring(equals + 1)));
                }
            }
            clauses.add(new Clause(List.copyOf(paths), attributes));
        }
        return clauses;
    }

    /**
     * Removes the type from an attribute name. {@code version:Version} becomes {@code version}, while the directive
     * {@code filter:} is unchanged.
     */
    private static String name(String text) {
        int colon = text.indexOf(':');
        return colon < 0 || colon == text.length() - 1
                ? text
                : text.substring(0, colon).strip();
    }

    private static String value(String text) {
        String value = text.strip();
        return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    private static List<String> split(String text, char at) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == at && !quoted) {
                parts.add(text.substring(begin, i));
                begin = i + 1;
            }
        }
        parts.add(text.substring(begin));
        parts.removeIf(String::isBlank);
        return parts;
    }
}
