package dev.hearth.launcher;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reader of a JSON object whose values are of interest by name. Fields of objects in objects are named with dots, and
 * elements of arrays with their numbers; {@code null} is left out. Used by one thread.
 */
final class JsonFields {
    private static final int DEPTH_MAX = 16;

    private final String text;
    private final Map<String, String> fields = new LinkedHashMap<>();
    private int at;

    private JsonFields(String text) {
        this.text = text;
    }

    /** The fields of the object {@code text}. Fails if it is no JSON object. */
    static Map<String, String> of(String text) throws IOException {
        JsonFields reader = new JsonFields(text);
        if (reader.next() != '{') {
            throw reader.wrong("an object");
        }
        reader.value("", 0);
        if (reader.next() != 0) {
            throw reader.wrong("the end");
        }
        return reader.fields;
    }

    /** {@code text} as a JSON string. */
    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == '"' || character == '\\') {
                json.append('\\').append(character);
            } else if (character < ' ') {
                json.append("\\u00")
                        .append(Character.forDigit(character >> 4, 16))
                        .append(Character.forDigit(character & 15, 16));
            } else {
                json.append(character);
            }
        }
        return json.append('"').toString();
    }

    private void value(String name, int depth) throws IOException {
        if (depth > DEPTH_MAX) {
            throw wrong("at most " + DEPTH_MAX + " levels");
        }
        switch (next()) {
            case '{' -> members(name, depth);
            case '[' -> elements(name, depth);
            case '"' -> fields.put(name, string());
            default -> scalar(name);
        }
    }

    private void members(String name, int depth) throws IOException {
        at++;
        if (taken('}')) {
            return;
        }
        do {
            if (next() != '"') {
                throw wrong("a name");
            }
            String inner = name.isEmpty() ? string() : name + "." + string();
            take(':');
            value(inner, depth + 1);
        } while (taken(','));
        take('}');
    }

    private void elements(String name, int depth) throws IOException {
        at++;
        if (taken(']')) {
            return;
        }
        int number = 0;
        do {
            value(name + "." + number, depth + 1);
            number++;
        } while (taken(','));
        take(']');
    }

    private void scalar(String name) throws IOException {
        int start = at;
        while ((at < text.length() && "+-.".indexOf(text.charAt(at)) >= 0) || isWord()) {
            at++;
        }
        String word = text.substring(start, at);
        if (word.isEmpty()) {
            throw wrong("a value");
        }
        if (!word.equals("null")) {
            fields.put(name, word);
        }
    }

    private boolean isWord() {
        return at < text.length() && Character.isLetterOrDigit(text.charAt(at));
    }

    private String string() throws IOException {
        StringBuilder plain = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            char character = text.charAt(at);
            at++;
            plain.append(character == '\\' ? escaped() : character);
        }
        if (at == text.length()) {
            throw wrong("the end of a string");
        }
        at++;
        return plain.toString();
    }

    private char escaped() throws IOException {
        if (at == text.length()) {
            throw wrong("an escape");
        }
        char character = text.charAt(at);
        at++;
        return switch (character) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            default -> character;
        };
    }

    private char unicode() throws IOException {
        try {
            char character = (char) Integer.parseInt(text.substring(at, at + 4), 16);
            at += 4;
            return character;
        } catch (IndexOutOfBoundsException | NumberFormatException broken) {
            throw new IOException("answer: at " + at + " (expected: four digits)", broken);
        }
    }

    /** The next character that is no white space; 0 at the end. */
    private char next() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean taken(char wanted) {
        boolean is = next() == wanted;
        at += is ? 1 : 0;
        return is;
    }

    private void take(char wanted) throws IOException {
        if (!taken(wanted)) {
            throw wrong("'" + wanted + "'");
        }
    }

    private IOException wrong(String expected) {
        return new IOException("answer: at character " + at + " (expected: " + expected + ")");
    }
}
