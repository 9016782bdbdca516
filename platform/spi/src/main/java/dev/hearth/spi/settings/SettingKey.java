package dev.hearth.spi.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Declaration of one setting by the module that reads it: name, type, default, description and rule. Immutable.
 * {@link SettingsReader#read} reads its value; docs/configuration.md is generated from all declarations.
 */
public final class SettingKey<T> {
    /**
     * Suffix of a setting name that declares a family: all keys that start alike, as in {@code hearth.executorEnv.*}.
     */
    public static final String FAMILY = ".*";

    /**
     * Maximum duration of any setting. It is far below the range of nanoseconds in a long, so calculations cannot
     * overflow.
     */
    static final Duration DURATION_MAX = Duration.ofDays(365);

    private static final int PORT_MAX = 65_535;

    private final String name;
    private final Kind kind;
    private final Optional<T> byDefault;
    private final String description;
    private final String rule;
    private final Function<String, Optional<T>> parse;
    private final Function<T, String> show;
    private final String absence;
    /** Rule of a family for the name and the value of a member. */
    private final BiPredicate<String, String> members;

    private SettingKey(
            String name,
            Kind kind,
            Optional<T> byDefault,
            String description,
            String rule,
            Function<String, Optional<T>> parse,
            Function<T, String> show) {
        this(name, kind, byDefault, description, rule, parse, show, "", (member, value) -> true);
    }

    private SettingKey(
            String name,
            Kind kind,
            Optional<T> byDefault,
            String description,
            String rule,
            Function<String, Optional<T>> parse,
            Function<T, String> show,
            String absence,
            BiPredicate<String, String> members) {
        if (!name.startsWith(Settings.PREFIX) || description.isBlank()) {
            throw new IllegalArgumentException("setting " + name + " (expected: hearth.something, and a description)");
        }
        // listings recognise secrets by name, so they would show a secret whose name is not recognised
        if (kind == Kind.SECRET && !Secrets.isSecret(name)) {
            throw new IllegalArgumentException(
                    "secret " + name + " (expected: a name with secret, password, token or credential in it)");
        }
        this.name = name;
        this.kind = kind;
        this.byDefault = byDefault;
        this.description = description;
        this.rule = rule;
        this.parse = parse;
        this.show = show;
        this.absence = absence;
        this.members = members;
    }

    /** Type of a setting, which determines how its value is written. */
    public enum Kind {
        TEXT,
        SECRET,
        INTEGER,
        NUMBER,
        BOOLEAN,
        DURATION,
        SIZE,
        LIST,
        CHOICE
    }

    public static SettingKey<String> text(String name, String byDefault, String description) {
        return new SettingKey<>(
                name, Kind.TEXT, Optional.of(byDefault), description, "a text", Optional::of, Function.identity());
    }

    /** Declares a setting whose value is a decimal number, kept as it is written; {@link #obeying} says which ones. */
    public static SettingKey<String> number(String name, String byDefault, String description) {
        return new SettingKey<>(
                name,
                Kind.NUMBER,
                Optional.of(byDefault),
                description,
                "a number",
                text -> Optional.of(text).filter(value -> Double.isFinite(Double.parseDouble(value))),
                Function.identity());
    }

    /**
     * Family of texts, one for each name that takes the place of {@code *} in {@code name}, such as {@code
     * hearth.executorEnv.*}. {@code rule} describes which names and values {@code holds} accepts.
     */
    public static SettingKey<String> family(
            String name, String description, String rule, BiPredicate<String, String> holds) {
        if (!name.endsWith(FAMILY)) {
            throw new IllegalArgumentException("family " + name + " (expected: a name that ends with " + FAMILY + ")");
        }
        return new SettingKey<>(
                name, Kind.TEXT, Optional.empty(), description, rule, Optional::of, Function.identity(), "", holds);
    }

    /** Declares a setting whose value is a text that is never displayed; unless set, it is empty. */
    public static SettingKey<String> secret(String name, String description) {
        return new SettingKey<>(
                name, Kind.SECRET, Optional.of(""), description, "a text", Optional::of, Function.identity());
    }

    public static SettingKey<Integer> integer(String name, int byDefault, int least, int most, String description) {
        String rule = most == Integer.MAX_VALUE
                ? "a whole number, " + least + " or more"
                : "a whole number, " + least + " to " + most;
        return new SettingKey<>(
                name,
                Kind.INTEGER,
                Optional.of(byDefault),
                description,
                rule,
                text -> Optional.of(Integer.parseInt(text)).filter(value -> value >= least && value <= most),
                String::valueOf);
    }

    /** Declares a setting for a port to listen on; with the value 0, the system chooses a free port. */
    public static SettingKey<Integer> port(String name, int byDefault, String description) {
        return integer(name, byDefault, 0, PORT_MAX, description);
    }

    public static SettingKey<Boolean> flag(String name, boolean byDefault, String description) {
        return new SettingKey<>(
                name,
                Kind.BOOLEAN,
                Optional.of(byDefault),
                description,
                "true or false",
                ValueSyntax::flag,
                String::valueOf);
    }

    /**
     * Declares a setting whose value is a duration from {@code least} to a year; a number without a unit counts
     * seconds.
     */
    public static SettingKey<Duration> duration(String name, Duration byDefault, Duration least, String description) {
        return duration(name, byDefault, least, description, ChronoUnit.SECONDS);
    }

    /**
     * Declares a setting as {@link #duration} does, but a number without a unit counts milliseconds, as in Spark for
     * the same key.
     */
    public static SettingKey<Duration> durationInMillis(
            String name, Duration byDefault, Duration least, String description) {
        return duration(name, byDefault, least, description, ChronoUnit.MILLIS);
    }

    private static SettingKey<Duration> duration(
            String name, Duration byDefault, Duration least, String description, ChronoUnit bare) {
        String unit = bare == ChronoUnit.SECONDS ? "" : "; without a unit, in milliseconds";
        return new SettingKey<>(
                name,
                Kind.DURATION,
                Optional.of(byDefault),
                description,
                "a time such as 250ms, 10s, 2m or 1h, from " + ValueSyntax.show(least) + " to " + DURATION_MAX.toDays()
                        + "d" + unit,
                text -> ValueSyntax.duration(text, bare)
                        .filter(value -> value.compareTo(least) >= 0 && value.compareTo(DURATION_MAX) <= 0),
                ValueSyntax::show);
    }

    /** Size in mebibytes. */
    public static SettingKey<Integer> mebibytes(String name, int byDefault, int least, int most, String description) {
        return new SettingKey<>(
                name,
                Kind.SIZE,
                Optional.of(byDefault),
                description,
                "a size such as 512m or 2g, from " + least + "m"
                        + (most == Integer.MAX_VALUE ? "" : " to " + most + "m"),
                text -> ValueSyntax.mebibytes(text).filter(value -> value >= least && value <= most),
                value -> value + "m");
    }

    /** Declares a setting whose value is a list of texts, separated by commas. */
    public static SettingKey<List<String>> list(String name, List<String> byDefault, String description) {
        return new SettingKey<>(
                name,
                Kind.LIST,
                Optional.of(byDefault),
                description,
                "texts separated by commas",
                text -> Optional.of(Arrays.stream(text.split(",", -1))
                        .map(String::trim)
                        .filter(part -> !part.isEmpty())
                        .toList()),
                value -> String.join(",", value));
    }

    /** Declares a setting whose value is a constant of the enum {@code type}, in upper or lower case. */
    public static <E extends Enum<E>> SettingKey<E> choice(
            String name, Class<E> type, E byDefault, String description) {
        List<E> constants = List.of(type.getEnumConstants());
        return new SettingKey<>(
                name,
                Kind.CHOICE,
                Optional.of(byDefault),
                description,
                "one of " + constants.stream().map(SettingKey::lower).toList(),
                text -> constants.stream()
                        .filter(constant -> constant.name().equalsIgnoreCase(text))
                        .findFirst(),
                SettingKey::lower);
    }

    /**
     * The same declaration without a default: if the setting is not set, {@link SettingsReader#find} returns an empty
     * result.
     */
    public SettingKey<T> withoutDefault() {
        return withoutDefault("");
    }

    /**
     * The same declaration without a default. {@code absence} describes, for the documentation, what applies if the
     * setting is not set.
     */
    public SettingKey<T> withoutDefault(String absence) {
        return new SettingKey<>(name, kind, Optional.empty(), description, rule, parse, show, absence, members);
    }

    /**
     * The same declaration with a stricter rule for values: {@code narrower} is the text of the rule, and {@code holds}
     * tests whether a value obeys it.
     */
    public SettingKey<T> obeying(String narrower, Predicate<T> holds) {
        return new SettingKey<>(
                name,
                kind,
                byDefault,
                description,
                narrower,
                text -> parse.apply(text).filter(holds),
                show,
                absence,
                members);
    }

    public String name() {
        return name;
    }

    public Kind kind() {
        return kind;
    }

    public Optional<T> byDefault() {
        return byDefault;
    }

    /** Default of the setting as text, in the form written in files; empty if there is no default. */
    public String defaultText() {
        return byDefault.map(show).orElse("");
    }

    /** Text for the documentation of a setting without a default: the behaviour if it is not set. May be empty. */
    public String absence() {
        return absence;
    }

    public String description() {
        return description;
    }

    public String rule() {
        return rule;
    }

    /** Parses {@code text} as a value of this setting; empty if it breaks the rule. */
    public Optional<T> parse(String text) {
        try {
            return parse.apply(text.trim());
        } catch (ArithmeticException | NumberFormatException broken) {
            return Optional.empty(); // the reader reports the invalid text
        }
    }

    /** Parses the value of {@code key}, which is this setting or a member of this family. */
    Optional<T> parse(String key, String text) {
        boolean allowed = !isFamily() || members.test(member(key), text.trim());
        return allowed ? parse(text) : Optional.empty();
    }

    private boolean isFamily() {
        return name.endsWith(FAMILY);
    }

    /** Whether {@code key} is a member of this family. */
    boolean contains(String key) {
        return isFamily() && key.startsWith(name.substring(0, name.length() - 1));
    }

    /** The part of {@code key} that takes the place of the asterisk of this family. */
    String member(String key) {
        return key.substring(name.length() - 1);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return name;
    }
}
