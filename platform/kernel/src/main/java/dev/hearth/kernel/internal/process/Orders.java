package dev.hearth.kernel.internal.process;

import dev.hearth.spi.error.ErrorCode;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Text form of the orders on a child's standard input: one line of a properties file per order, then a line with a
 * single dot. The order of lines is preserved. Stateless.
 */
public final class Orders {
    private static final String END = ".";
    /** Maximum number of characters of all orders; a longer text is not orders but other data on the pipe. */
    private static final int CHARACTERS_MAX = 16 * 1024 * 1024;

    private Orders() {}

    static String write(Map<String, String> orders) {
        StringBuilder text = new StringBuilder();
        orders.forEach((key, value) -> {
            escape(key, text);
            text.append('=');
            escape(value, text);
            text.append('\n');
        });
        return text.append(END).append('\n').toString();
    }

    /** Reads up to and including the end line; fails if the stream ends before it. */
    public static Map<String, String> read(BufferedReader in) throws IOException {
        Map<String, String> orders = new LinkedHashMap<>();
        int characters = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals(END)) {
                return orders;
            }
            characters += line.length();
            if (characters > CHARACTERS_MAX) {
                throw ErrorCode.START_FAILED.failure(
                        "orders: more than " + CHARACTERS_MAX + " characters (expected: fewer)");
            }
            Properties entry = new Properties();
            entry.load(new StringReader(line));
            for (String key : entry.stringPropertyNames()) { // at most one per line
                orders.put(key, entry.getProperty(key));
            }
        }
        throw new EOFException("orders: ended early (expected: a line with a single dot)");
    }

    private static void escape(String text, StringBuilder to) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> to.append("\\n");
                case '\r' -> to.append("\\r");
                case '\t' -> to.append("\\t");
                case '\f' -> to.append("\\f");
                case '\\', '=', ':', '#', '!', ' ' -> to.append('\\').append(c);
                default -> to.append(c);
            }
        }
    }
}
