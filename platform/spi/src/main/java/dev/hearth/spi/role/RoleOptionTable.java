package dev.hearth.spi.role;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Options of roles, commands and scripts, from which help, manual pages and completion are made. Immutable.
 * <p>A bundle ships the table of its roles as a file of lines with fields separated by tabs; {@code -} stands for an
 * empty field. Lines that begin with {@code #} are comments. The first field is the name of a role, or {@link #GENERAL}
 * for all roles; the second one is a keyword:
 * <ul>
 *   <li>{@code role}, {@code command} or {@code script}, with operands, the kind of the operands, and a summary;
 *   <li>{@code option}, with name, alias, value, kind, setting and meaning;
 *   <li>{@code variable}, with the name of an environment variable, that of Spark, a word for its value, and meaning;
 *   <li>{@code note} and {@code example}, with one line;
 *   <li>{@code like}, with the name of another entry whose options apply too.
 * </ul>
 */
public final class RoleOptionTable {
    /** Path of the file inside a bundle. */
    public static final String FILE = "OSGI-INF/hearth/roles.tsv";
    /** Name of the entry whose options and variables all roles have. */
    public static final String GENERAL = "*";

    public static final RoleOptionTable EMPTY = new RoleOptionTable(Map.of());

    private static final String LIKE = "like";
    private static final int OPTION_FIELDS = 8;
    private static final int VARIABLE_FIELDS = 6;
    private static final int USAGE_FIELDS = 5;
    private static final int LINE_FIELDS = 3;

    private final Map<String, List<List<String>>> lines;

    private RoleOptionTable(Map<String, List<List<String>>> lines) {
        this.lines = lines;
    }

    /** Reads the table in the bundle that contains {@code type}; empty if it ships none. */
    public static RoleOptionTable of(Class<?> type) {
        try (InputStream in = type.getResourceAsStream("/" + FILE)) {
            return in == null ? EMPTY : read(FILE + " beside " + type.getName(), in);
        } catch (IOException failure) {
            throw ErrorCode.START_FAILED.failure(
                    FILE + " beside " + type.getName() + ": " + failure.getMessage() + " (expected: readable)",
                    failure);
        }
    }

    /** Reads the lines of a file. A malformed line fails with {@code BAD_ARGUMENT}, naming {@code origin}. */
    public static RoleOptionTable read(String origin, InputStream in) throws IOException {
        Map<String, List<List<String>>> lines = new LinkedHashMap<>();
        int number = 0;
        for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            List<String> fields = Arrays.stream(line.split("\t", -1))
                    .map(field -> field.equals("-") ? "" : field)
                    .toList();
            try {
                check(fields);
            } catch (HearthException | IllegalArgumentException failure) {
                throw ErrorCode.BAD_ARGUMENT.failure(origin + " line " + number + ": " + failure.getMessage(), failure);
            }
            lines.computeIfAbsent(fields.get(0), name -> new ArrayList<>()).add(fields);
        }
        return new RoleOptionTable(lines);
    }

    /** Returns the names of the roles, commands and scripts of this table, in the order of the file. */
    public Set<String> names() {
        return lines.keySet();
    }

    /** Returns what the table says of {@code name}; empty if it has no line that introduces it. */
    public Optional<RoleUsage> usage(String name) {
        return linesOf(name).stream()
                .filter(fields -> isUsage(fields.get(1)))
                .findFirst()
                .map(first -> new RoleUsage(
                        name,
                        RoleUsage.Kind.valueOf(first.get(1).toUpperCase(Locale.ROOT)),
                        first.get(2),
                        first.get(3),
                        first.get(4),
                        options(name),
                        variables(name),
                        texts(name, "note"),
                        texts(name, "example")));
    }

    /** Returns the options of {@code name}, and then those of the entries that it is like. */
    public List<RoleOption> options(String name) {
        List<RoleOption> options = new ArrayList<>();
        for (List<String> fields : linesOf(name)) {
            if (fields.get(1).equals("option")) {
                options.add(option(fields));
            } else if (fields.get(1).equals(LIKE)) {
                options.addAll(options(fields.get(2)));
            }
        }
        return options;
    }

    /** Returns the environment variables of {@code name}, and then those of the entries that it is like. */
    public List<RoleUsage.Variable> variables(String name) {
        List<RoleUsage.Variable> variables = new ArrayList<>();
        for (List<String> fields : linesOf(name)) {
            if (fields.get(1).equals("variable")) {
                variables.add(new RoleUsage.Variable(fields.get(2), fields.get(3), fields.get(4), fields.get(5)));
            } else if (fields.get(1).equals(LIKE)) {
                variables.addAll(variables(fields.get(2)));
            }
        }
        return variables;
    }

    private List<String> texts(String name, String keyword) {
        return linesOf(name).stream()
                .filter(fields -> fields.get(1).equals(keyword))
                .map(fields -> fields.get(2))
                .toList();
    }

    private List<List<String>> linesOf(String name) {
        return lines.getOrDefault(name, List.of());
    }

    private static boolean isUsage(String keyword) {
        return Arrays.stream(RoleUsage.Kind.values())
                .anyMatch(kind -> kind.name().toLowerCase(Locale.ROOT).equals(keyword));
    }

    private static RoleOption option(List<String> fields) {
        return new RoleOption(
                fields.get(2),
                fields.get(3),
                fields.get(4),
                RoleOption.Kind.valueOf(fields.get(5).toUpperCase(Locale.ROOT)),
                fields.get(6),
                fields.get(7));
    }

    private static void check(List<String> fields) {
        String keyword = fields.size() > 1 ? fields.get(1) : "";
        int expected = isUsage(keyword)
                ? USAGE_FIELDS
                : switch (keyword) {
                    case "option" -> OPTION_FIELDS;
                    case "variable" -> VARIABLE_FIELDS;
                    case "note", "example", LIKE -> LINE_FIELDS;
                    default ->
                        throw new IllegalArgumentException("keyword: '" + keyword
                                + "' (expected: role, command, script, option, variable, note, example or like)");
                };
        if (fields.size() != expected) {
            throw new IllegalArgumentException(keyword + ": " + fields.size() + " fields (expected: " + expected + ")");
        }
        if (keyword.equals("option")) {
            option(fields);
        }
    }
}
