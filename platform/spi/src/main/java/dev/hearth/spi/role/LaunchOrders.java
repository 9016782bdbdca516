package dev.hearth.spi.role;

import dev.hearth.spi.error.ErrorCode;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Launch orders: the key-value pairs with which a process starts, in their order. {@code environmentKeys} are the keys
 * in whose values the new process replaces {@code ${env:X}} by its environment variable {@code X}. The writer of the
 * orders chooses these keys; in all other values {@code ${env:X}} is literal text, as a user may have written it.
 * <p>As text, each order is one line of a properties file. A line with a single dot ends the text, so that a truncated
 * text is not taken for a complete one. Immutable.
 */
public record LaunchOrders(Map<String, String> values, Set<String> environmentKeys) {
    /** Key of the line of the text that lists {@link #environmentKeys}, separated by commas. Not itself an order. */
    public static final String ENVIRONMENT_KEYS = "hearth.orders.environment";

    /** Maximum number of characters of all orders. A longer text must be other data. */
    private static final int CHARACTERS_MAX = 16 * 1024 * 1024;

    private static final String END = ".";
    private static final String SEPARATOR = ",";
    /** Reference to an environment variable; with a second dollar sign it is literal text. */
    private static final Pattern REFERENCE = Pattern.compile("(\\$?)\\$\\{env:([^${}\\s]+)\\}");

    public LaunchOrders {
        Map<String, String> orders = new LinkedHashMap<>(values);
        orders.remove(ENVIRONMENT_KEYS); // a setting of an application cannot mark keys
        values = Collections.unmodifiableMap(orders);
        environmentKeys = Collections.unmodifiableSet(new LinkedHashSet<>(environmentKeys));
        for (String key : environmentKeys) {
            if (!values.containsKey(key) || key.contains(SEPARATOR)) {
                throw ErrorCode.BAD_ARGUMENT.failure("start parameters (orders): " + ENVIRONMENT_KEYS + " names '" + key
                        + "' (expected: keys of orders without commas, separated by commas)");
            }
        }
    }

    /** Launch orders without references to environment variables. */
    public static LaunchOrders of(Map<String, String> values) {
        return new LaunchOrders(values, Set.of());
    }

    /** The text of these orders, for a file of mode 0600 or standard input, since orders may contain secrets. */
    public String text() {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> line(key, value, text));
        if (!environmentKeys.isEmpty()) {
            line(ENVIRONMENT_KEYS, String.join(SEPARATOR, environmentKeys), text);
        }
        return text.append(END).append('\n').toString();
    }

    /**
     * Reads orders, one per line, up to and including the line that ends them. Fails if the input ends before that
     * line.
     */
    public static LaunchOrders read(BufferedReader in) throws IOException {
        Map<String, String> orders = new LinkedHashMap<>();
        int characters = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals(END)) {
                String marked = orders.getOrDefault(ENVIRONMENT_KEYS, "");
                return new LaunchOrders(
                        orders,
                        marked.isEmpty() ? Set.of() : new LinkedHashSet<>(List.of(marked.split(SEPARATOR, -1))));
            }
            characters += line.length();
            if (characters > CHARACTERS_MAX) {
                throw ErrorCode.START_FAILED.failure("start parameters (orders): more than " + CHARACTERS_MAX
                        + " characters (expected: at most that many)");
            }
            order(line, orders);
        }
        throw new EOFException("start parameters (orders): no end (expected: a last line with a single dot)");
    }

    private static void order(String line, Map<String, String> orders) throws IOException {
        Properties entry = new Properties();
        try {
            entry.load(new StringReader(line));
        } catch (IllegalArgumentException malformed) {
            throw ErrorCode.START_FAILED.failure(
                    "start parameters (orders): a line with a malformed \\u (expected: lines of a properties file)",
                    malformed);
        }
        for (String key : entry.stringPropertyNames()) { // a line contains at most one order
            orders.put(key, entry.getProperty(key));
        }
    }

    /**
     * The orders with their references to environment variables replaced; {@code environment} returns the value of a
     * variable. Fails with {@code START_FAILED} if a variable is not set.
     */
    public Map<String, String> resolved(Function<String, Optional<String>> environment) {
        Map<String, String> resolved = new LinkedHashMap<>(values);
        environmentKeys.forEach(key ->
                resolved.computeIfPresent(key, (same, value) -> fill(value, name -> variable(key, name, environment))));
        return Collections.unmodifiableMap(resolved);
    }

    private static String variable(String key, String name, Function<String, Optional<String>> environment) {
        return environment
                .apply(name)
                .orElseThrow(() -> ErrorCode.START_FAILED.failure("start parameter " + key
                        + ": refers to the environment variable " + name
                        + ", which is not set (expected: set); set it where this process is started"));
    }

    private static String fill(String text, UnaryOperator<String> variables) {
        Matcher matcher = REFERENCE.matcher(text);
        return matcher.replaceAll(found -> Matcher.quoteReplacement(
                found.group(1).isEmpty() ? variables.apply(found.group(2)) : "${env:" + found.group(2) + "}"));
    }

    private static void line(String key, String value, StringBuilder text) {
        escape(key, text);
        text.append('=');
        escape(value, text);
        text.append('\n');
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

    /** Text form without the values, which may be secrets. */
    @Override
    public String toString() {
        return "orders " + values.keySet();
    }
}
