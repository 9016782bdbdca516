package dev.hearth.spi.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reader of small JSON texts: the answers of discovery scripts and of servers, and files that list resources. An object becomes a map, an
 * array a list, a text a string, and every other value its own text. Fails with {@code IllegalArgumentException}.
 */
public final class JsonReader {
    private static final int DEPTH_MAX = 16;
    private static final int HEXADECIMAL = 16;
    private static final int UNICODE_DIGITS = 4;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** The value that {@code text} consists of. */
    public static Object read(String text) {
        JsonReader in = new JsonReader(text);
        Object value = in.value(0);
        in.blanks();
        if (in.at < text.length()) {
            throw in.broken("the end of the text");
        }
        return value;
    }

    private Object value(int depth) {
        if (depth > DEPTH_MAX) {
            throw broken("at most " + DEPTH_MAX + " levels");
        }
        blanks();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            default -> literal();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        blanks();
        while (peek() != '}') {
            if (!members.isEmpty()) {
                expect(',');
                blanks();
            }
            String name = string();
            blanks();
            expect(':');
            members.put(name, value(depth + 1));
            blanks();
        }
        at++;
        return members;
    }

    private List<Object> array(int depth) {
        List<Object> elements = new ArrayList<>();
        expect('[');
        blanks();
        while (peek() != ']') {
            if (!elements.isEmpty()) {
                expect(',');
            }
            elements.add(value(depth + 1));
            blanks();
        }
        at++;
        return elements;
    }

    private String string() {
        expect('"');
        StringBuilder content = new StringBuilder();
        while (peek() != '"') {
            char character = text.charAt(at++);
            content.append(character == '\\' ? escaped() : character);
        }
        at++;
        return content.toString();
    }

    private char escaped() {
        char character = peek();
        at++;
        return switch (character) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '"', '\\', '/' -> character;
            case 'u' -> {
                if (at + UNICODE_DIGITS > text.length()) {
                    throw broken("four hexadecimal digits");
                }
                String digits = text.substring(at, at + UNICODE_DIGITS);
                at += UNICODE_DIGITS;
                yield (char) Integer.parseInt(digits, HEXADECIMAL);
            }
            default -> throw broken("an escape of JSON");
        };
    }

    private String literal() {
        int from = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        if (at == from) {
            throw broken("a value");
        }
        return text.substring(from, at);
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw broken("more");
        }
        return text.charAt(at);
    }

    private void expect(char character) {
        if (peek() != character) {
            throw broken("'" + character + "'");
        }
        at++;
    }

    private IllegalArgumentException broken(String expected) {
        return new IllegalArgumentException("JSON, character " + (at + 1) + " (expected: " + expected + ")");
    }

    /** Reads {@code text}, which must be an object. Fails with {@code IllegalArgumentException}. */
    public static Map<String, Object> readObject(String text) {
        return asObject(read(text));
    }

    /** The map that {@code value} is; fails if it is none. */
    @SuppressWarnings("unchecked") // the reader makes no other maps
    static Map<String, Object> asObject(@Nullable Object value) {
        if (value instanceof Map<?, ?>) {
            return (Map<String, Object>) value;
        }
        throw new IllegalArgumentException("JSON: " + value + " (expected: an object)");
    }

    /** The texts that {@code value} is a list of; fails if it is none. Numbers become texts. */
    static List<String> asTexts(@Nullable Object value) {
        List<String> texts = new ArrayList<>();
        for (Object element : asList(value)) {
            texts.add(asText(element));
        }
        return texts;
    }

    static List<?> asList(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("JSON: " + value + " (expected: an array)");
    }

    static String asText(@Nullable Object value) {
        if (value instanceof String found) {
            return found;
        }
        throw new IllegalArgumentException("JSON: " + value + " (expected: a text)");
    }
}
