package dev.hearth.spi.cluster;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionRules.Refusal;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Submission rules of several kinds of clusters, by the scheme of their master URLs. Rules for all clusters have the
 * scheme {@link #GENERAL}. Immutable.
 * <p>A bundle ships its rules as a file of lines with fields separated by tabs; {@code -} stands for an empty field.
 * Lines that begin with {@code #} are comments. Each line begins with a scheme. A line for a flag has nine fields:
 * scheme, name, alias, value, setting, modes, kind, merge, meaning. Other lines have a keyword as the second field:
 * {@code refuse} with a flag, its value and the words for the user; {@code files} with modes and URI schemes;
 * {@code waits} with a setting; {@code progress} with {@code own}.
 * <p>Front ends read a table at each start, and need few of its lines. A line is therefore parsed when it is looked up,
 * without streams and regular expressions. {@link #checked} parses all lines.
 */
public final class SubmissionRuleTable {
    /** Path of the file with the rules inside a bundle. */
    public static final String FILE = "OSGI-INF/hearth/flags.tsv";
    /** Scheme of rules that hold for all clusters. */
    public static final String GENERAL = "*";

    public static final SubmissionRuleTable EMPTY = new SubmissionRuleTable(Map.of());

    private static final String FLAG_START = "--";
    private static final String REFUSE = "refuse";
    private static final String NOTHING = "-";

    private final Map<String, List<Line>> lines;

    private SubmissionRuleTable(Map<String, List<Line>> lines) {
        this.lines = Collections.unmodifiableMap(lines);
    }

    /** Line of a file: where it comes from, its text, and the position of the second field in the text. */
    private record Line(String origin, int number, String text, int second) {
        boolean isFlag() {
            return text.startsWith(FLAG_START, second);
        }

        /** Whether this is the rule of the flag whose name or alias is {@code name}. */
        boolean isNamed(String name) {
            return isFlag() && (isField(second, name) || (!name.equals(NOTHING) && isField(third(), name)));
        }

        /** Whether this line refuses the flag {@code name}. */
        boolean refuses(String name) {
            return text.startsWith(REFUSE, second) && isField(third(), name);
        }

        private int third() {
            return text.indexOf('\t', second) + 1;
        }

        private boolean isField(int from, String field) {
            int end = from + field.length();
            return text.startsWith(field, from) && end < text.length() && text.charAt(end) == '\t';
        }
    }

    /** Reads the rules in the bundle that contains {@code type}; empty if it ships none. */
    public static SubmissionRuleTable of(Class<?> type) {
        try (InputStream in = type.getResourceAsStream("/" + FILE)) {
            return in == null
                    ? EMPTY
                    : read("rules beside " + type.getName(), in).checked("beside " + type.getName());
        } catch (IOException failure) {
            throw ErrorCode.START_FAILED.failure(
                    FILE + " beside " + type.getName() + ": " + failure.getMessage() + " (expected: readable)",
                    failure);
        }
    }

    /**
     * Reads the lines of a file. A malformed line fails with {@code BAD_ARGUMENT}, naming {@code origin}, once it is
     * looked up or {@link #checked}.
     */
    public static SubmissionRuleTable read(String origin, InputStream in) throws IOException {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        Map<String, List<Line>> lines = new TreeMap<>();
        int number = 0;
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            String line = text.substring(from, end < 0 ? text.length() : end);
            from = end < 0 ? text.length() : end + 1;
            number++;
            if (!line.isBlank() && line.charAt(0) != '#') {
                int tab = line.indexOf('\t');
                String name = tab < 0 ? line : line.substring(0, tab);
                List<Line> scheme = lines.get(name);
                if (scheme == null) {
                    scheme = new ArrayList<>();
                    lines.put(name, scheme);
                }
                scheme.add(new Line(origin, number, line, tab + 1));
            }
        }
        return new SubmissionRuleTable(lines);
    }

    /**
     * Returns the rules of this table, and those of {@code other} for schemes that this table lacks. Fails with {@code
     * BAD_ARGUMENT}, naming {@code origin}, if a flag takes a value in only one of both tables.
     */
    public SubmissionRuleTable and(SubmissionRuleTable other, String origin) {
        Map<String, List<Line>> all = new TreeMap<>(other.lines);
        all.putAll(lines);
        return new SubmissionRuleTable(all).checked(origin);
    }

    /**
     * Returns this table. Fails with {@code BAD_ARGUMENT} if a line is malformed. Does so too, naming {@code origin}, if a
     * scheme has two rules for a flag, or if a flag takes a value for one scheme and none for another.
     */
    public SubmissionRuleTable checked(String origin) {
        Map<String, Boolean> valued = new TreeMap<>();
        Map<String, String> aliases = new TreeMap<>();
        for (String name : lines.keySet()) {
            SubmissionRules scheme = rules(name);
            Set<String> seen = new TreeSet<>();
            for (FlagRule flag : scheme.flags()) {
                check(origin, flag.name(), seen.add(flag.name()));
                check(origin, flag.name(), agrees(valued, flag.name(), flag.takesValue()));
                check(origin, flag.name(), flag.alias().isEmpty() || agrees(aliases, flag.alias(), flag.name()));
            }
            for (Refusal refusal : scheme.refusals()) {
                check(origin, refusal.flag(), seen.add(refusal.flag()));
                check(
                        origin,
                        refusal.flag(),
                        agrees(valued, refusal.flag(), !refusal.value().isEmpty()));
            }
        }
        return this;
    }

    /** Returns the rules for masters of {@code scheme}; {@link SubmissionRules#NONE} if there are none. */
    public SubmissionRules rules(String scheme) {
        Parsed rules = new Parsed();
        for (Line line : linesOf(scheme)) {
            parse(line, rules);
        }
        return rules.isEmpty() ? SubmissionRules.NONE : rules.rules();
    }

    /** Returns the schemes with rules, in alphabetical order, {@link #GENERAL} first. */
    public Set<String> schemes() {
        return lines.keySet();
    }

    /** Returns the rule of {@code scheme} for the flag whose name or alias is {@code text}; empty if there is none. */
    public Optional<FlagRule> flag(String scheme, String text) {
        for (Line line : linesOf(scheme)) {
            if (line.isNamed(text)) {
                Parsed rules = new Parsed();
                parse(line, rules);
                return Optional.of(rules.flags.get(0));
            }
        }
        return Optional.empty();
    }

    /** Returns the refusal of {@code scheme} for the flag {@code name}; empty if the scheme does not refuse it. */
    public Optional<Refusal> refusal(String scheme, String name) {
        for (Line line : linesOf(scheme)) {
            if (line.refuses(name)) {
                Parsed rules = new Parsed();
                parse(line, rules);
                return Optional.of(rules.refusals.get(0));
            }
        }
        return Optional.empty();
    }

    /** Returns a rule for the flag whose name or alias is {@code text}, of any scheme; empty if no scheme has one. */
    public Optional<FlagRule> anyFlag(String text) {
        for (String scheme : lines.keySet()) {
            Optional<FlagRule> rule = flag(scheme, text);
            if (rule.isPresent()) {
                return rule;
            }
        }
        return Optional.empty();
    }

    /** Returns a refusal of the flag {@code name}, of any scheme; empty if no scheme refuses it. */
    public Optional<Refusal> anyRefusal(String name) {
        for (String scheme : lines.keySet()) {
            Optional<Refusal> refusal = refusal(scheme, name);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    /** Returns the schemes that have a rule for the flag {@code name}, without {@link #GENERAL}. */
    public Set<String> schemesOf(String name) {
        Set<String> schemes = new LinkedHashSet<>();
        for (String scheme : lines.keySet()) {
            if (!scheme.equals(GENERAL) && flag(scheme, name).isPresent()) {
                schemes.add(scheme);
            }
        }
        return schemes;
    }

    private List<Line> linesOf(String scheme) {
        return lines.getOrDefault(scheme, List.of());
    }

    private static void parse(Line line, Parsed rules) {
        try {
            rules.add(split(line.text()));
        } catch (HearthException | IllegalArgumentException | IndexOutOfBoundsException failure) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    line.origin() + " line " + line.number() + ": " + failure.getMessage(), failure);
        }
    }

    private static <V> boolean agrees(Map<String, V> known, String key, V value) {
        V other = known.putIfAbsent(key, value);
        return other == null || other.equals(value);
    }

    private static void check(String origin, String flag, boolean holds) {
        if (!holds) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    origin + ": flag " + flag + ": two rules that differ (expected: one for"
                            + " each scheme, all with a value or all without, and aliases of one flag)");
        }
    }

    private static List<String> split(String line) {
        List<String> fields = new ArrayList<>();
        int from = 0;
        for (int tab = line.indexOf('\t'); tab >= 0; tab = line.indexOf('\t', from)) {
            fields.add(line.substring(from, tab));
            from = tab + 1;
        }
        fields.add(line.substring(from));
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).equals(NOTHING)) {
                fields.set(i, "");
            }
        }
        return fields;
    }

    /** Rules of one scheme while their lines are read. */
    private static final class Parsed {
        private static final int FLAG_FIELDS = 9;
        private static final int REFUSAL_FIELDS = 5;

        private final List<FlagRule> flags = new ArrayList<>();
        private final List<Refusal> refusals = new ArrayList<>();
        private final Map<DeployMode, Set<String>> files = new EnumMap<>(DeployMode.class);
        private String waitSetting = "";
        private boolean ownProgress;

        void add(List<String> fields) {
            switch (fields.get(1)) {
                case REFUSE:
                    expect(fields, REFUSAL_FIELDS);
                    refusals.add(new Refusal(fields.get(2), fields.get(3), fields.get(4)));
                    break;
                case "files":
                    for (DeployMode mode : modes(fields.get(2))) {
                        files.put(
                                mode, new LinkedHashSet<>(List.of(fields.get(3).split(",", -1))));
                    }
                    break;
                case "waits":
                    waitSetting = fields.get(2);
                    break;
                case "progress":
                    if (!fields.get(2).equals("own")) {
                        throw new IllegalArgumentException("progress: '" + fields.get(2) + "' (expected: own)");
                    }
                    ownProgress = true;
                    break;
                default:
                    flags.add(flag(fields));
            }
        }

        boolean isEmpty() {
            return flags.isEmpty() && refusals.isEmpty() && files.isEmpty() && waitSetting.isEmpty() && !ownProgress;
        }

        SubmissionRules rules() {
            return new SubmissionRules(flags, refusals, files, waitSetting, ownProgress);
        }

        private static FlagRule flag(List<String> fields) {
            expect(fields, FLAG_FIELDS);
            return new FlagRule(
                    fields.get(1),
                    fields.get(2),
                    fields.get(3),
                    fields.get(4),
                    modes(fields.get(5)),
                    kind(fields.get(6)),
                    merge(fields.get(7)),
                    fields.get(8));
        }

        private static void expect(List<String> fields, int count) {
            if (fields.size() != count) {
                throw new IllegalArgumentException(
                        fields.get(1) + ": " + fields.size() + " fields (expected: " + count + ")");
            }
        }

        private static Set<DeployMode> modes(String text) {
            Set<DeployMode> modes = EnumSet.noneOf(DeployMode.class);
            for (String word : text.split(",", -1)) {
                modes.add(mode(word));
            }
            return modes;
        }

        // Enum.valueOf costs a start several times as much
        private static DeployMode mode(String word) {
            return switch (word) {
                case "client" -> DeployMode.CLIENT;
                case "cluster" -> DeployMode.CLUSTER;
                default -> throw new IllegalArgumentException("mode: '" + word + "' (expected: client or cluster)");
            };
        }

        private static FlagRule.Merge merge(String word) {
            return switch (word) {
                case "last" -> FlagRule.Merge.LAST;
                case "append" -> FlagRule.Merge.APPEND;
                default -> throw new IllegalArgumentException("merge: '" + word + "' (expected: last or append)");
            };
        }

        private static FlagRule.Kind kind(String word) {
            return switch (word) {
                case "text" -> FlagRule.Kind.TEXT;
                case "number" -> FlagRule.Kind.NUMBER;
                case "size" -> FlagRule.Kind.SIZE;
                case "files" -> FlagRule.Kind.FILES;
                case "switch" -> FlagRule.Kind.SWITCH;
                default ->
                    throw new IllegalArgumentException(
                            "kind: '" + word + "' (expected: text, number, size, files or switch)");
            };
        }
    }
}
