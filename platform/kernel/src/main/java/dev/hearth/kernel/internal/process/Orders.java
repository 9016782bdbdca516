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
 * Text form of the orders, the start parameters that a child process reads from standard input. Each order is one line
 * of a properties file; a line with a single dot ends the text. The sequence of lines is preserved. Stateless.
 */
public final class Orders {
    private static final String END = ".";
    /** Maximum number of characters of all orders. A longer text must be other data on the pipe. */
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

    /**
     * Reads orders, one per line, up to and including the line that ends them. Fails if the input ends before that
     * line. Returns the values by key.
     */
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
                        "start parameters (orders) on standard input: more than " + CHARACTERS_MAX + " characters"
                                + " (expected: at most that many); only a process of Hearth starts this process,"
                                + " not a user");
            }
            Properties entry = new Properties();
            entry.load(new StringReader(line));
            for (String key : entry.stringPropertyNames()) { // a line contains at most one order
                orders.put(key, entry.getProperty(key));
            }
        }
        throw new EOFException(
                "start parameters (orders) on standard input: no end (expected: a last line with a" + " single dot)");
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
