package dev.hearth.spi.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parsing and validation of each type of setting. */
class SettingKeyTest {
    private static final SettingKey<Duration> TIME =
            SettingKey.duration("hearth.time", Duration.ofSeconds(10), Duration.ofMillis(100), "A time.");
    private static final SettingKey<Duration> MILLIS =
            SettingKey.durationInMillis("hearth.millis", Duration.ofSeconds(10), Duration.ZERO, "A time.");
    private static final SettingKey<Integer> SIZE = SettingKey.mebibytes("hearth.size", 128, 1, 1024, "A size.");
    private static final SettingKey<Integer> NUMBER = SettingKey.integer("hearth.number", 4, 1, 9, "A number.");
    private static final SettingKey<Integer> PORT = SettingKey.port("hearth.port", 0, "A port.");
    private static final SettingKey<Boolean> FLAG = SettingKey.flag("hearth.flag", true, "A flag.");
    private static final SettingKey<List<String>> LIST = SettingKey.list("hearth.list", List.of("a", "b"), "A list.");
    private static final SettingKey<Fruit> CHOICE =
            SettingKey.choice("hearth.choice", Fruit.class, Fruit.APPLE, "A fruit.");
    private static final Map<String, SettingKey<?>> KEYS = Map.of(
            "time", TIME, "size", SIZE, "number", NUMBER, "port", PORT, "flag", FLAG, "list", LIST, "choice", CHOICE);

    enum Fruit {
        APPLE,
        PEAR
    }

    @ParameterizedTest
    @CsvSource({
        "time, 250ms, PT0.25S",
        "time, 3, PT3S",
        "time, 2m, PT2M",
        "time, 1H, PT1H",
        "time, 365d, PT8760H",
        "size, 64, 64",
        "size, 64M, 64",
        "size, 1g, 1024",
        "size, 2048k, 2",
        "number, 9, 9",
        "port, 65535, 65535",
        "port, 0, 0",
        "flag, FALSE, false",
        "list, 'x, y,,z', '[x, y, z]'",
        "list, '', []",
        "choice, Pear, PEAR"
    })
    void readsAValue(String key, String text, String value) {
        assertEquals(Optional.of(value), parse(key, text).map(Object::toString));
    }

    @ParameterizedTest
    @CsvSource({
        "time, 99ms",
        "time, 366d",
        "time, 999999999999999999d",
        "time, -1s",
        "time, ten",
        "time, 1y",
        "size, 0",
        "size, 1025m",
        "size, 999999999999999999t",
        "size, 1x",
        "number, 0",
        "number, 10",
        "number, 1.5",
        "number, 99999999999",
        "port, 70000",
        "port, -1",
        "flag, yes",
        "choice, plum"
    })
    void refusesWhatBreaksTheRule(String key, String text) {
        assertEquals(Optional.empty(), parse(key, text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0m, 0", "0g, 0", "1023k,", "0x,", "1x,"})
    void readsASizeOfZeroWhereTheRuleAllowsIt(String text, Integer value) {
        SettingKey<Integer> bound = SettingKey.mebibytes("hearth.bound", 1, 0, 9, "A bound; 0 sets none.");
        assertEquals(Optional.ofNullable(value), bound.parse(text));
    }

    @Test
    void reportsAllBadValuesAtOnceWithTheirOrigins() {
        Settings settings = Settings.empty()
                .with("--conf", Map.of("hearth.port", "70000"))
                .with("conf/hearth-defaults.conf line 12", Map.of("hearth.flag", "yes", "hearth.number", "3"));
        SettingsReader in = new SettingsReader(settings);
        assertEquals(0, in.read(PORT));
        assertTrue(in.read(FLAG));
        assertEquals(3, in.read(NUMBER));
        in.expect(false, NUMBER, "more than hearth.port").expect(true, SIZE, "x");
        HearthException failure = assertThrows(HearthException.class, in::finish);
        assertEquals("""
                3 invalid settings:
                  hearth.port: 70000 (expected: a whole number, 0 to 65535); from --conf
                  hearth.flag: yes (expected: true or false); from conf/hearth-defaults.conf line 12
                  hearth.number: 3 (expected: more than hearth.port); from conf/hearth-defaults.conf line 12""", failure.getMessage());
    }

    @Test
    void findsNothingForAnUnsetKeyWithoutDefault() {
        SettingKey<Integer> optional = NUMBER.withoutDefault("as many as there are");
        SettingsReader in = new SettingsReader(Settings.empty());
        assertEquals(Optional.empty(), in.find(optional));
        assertEquals("", optional.defaultText());
        assertEquals("as many as there are", optional.absence());
        assertThrows(IllegalArgumentException.class, () -> in.read(optional));
        in.finish();
    }

    @Test
    void writesDefaultsAsInAFile() {
        for (SettingKey<?> key : KEYS.values()) {
            assertEquals(key.byDefault(), key.parse(key.defaultText()), key::name);
        }
    }

    @Test
    void keepsDecimalNumbersAsTheyAreWritten() {
        SettingKey<String> share = SettingKey.number("hearth.share", "0.50", "A share.");
        assertEquals(SettingKey.Kind.NUMBER, share.kind());
        assertEquals("0.50", share.defaultText());
        assertEquals(Optional.of("1e-3"), share.parse("1e-3"));
        for (String wrong : List.of("x", "", "NaN", "Infinity")) {
            assertEquals(Optional.empty(), share.parse(wrong), wrong);
        }
        assertEquals(
                Optional.empty(),
                share.obeying("a number below 1", text -> Double.parseDouble(text) < 1)
                        .parse("1"));
    }

    @Test
    void requiresSecretsToHaveSecretNames() {
        assertEquals(
                SettingKey.Kind.SECRET,
                SettingKey.secret("hearth.rpc.secret", "A secret.").kind());
        assertThrows(IllegalArgumentException.class, () -> SettingKey.secret("hearth.rpc.word", "A secret."));
        assertThrows(IllegalArgumentException.class, () -> SettingKey.flag("other.flag", true, "A flag."));
        assertThrows(IllegalArgumentException.class, () -> SettingKey.flag("hearth.flag", true, " "));
    }

    @Test
    void readsNumbersWithoutUnitAsSparkDoes() {
        assertEquals(Optional.of(Duration.ofMillis(250)), MILLIS.parse("250"));
        assertEquals(Optional.of(Duration.ofSeconds(250)), TIME.parse("250"));
        assertEquals(Optional.of(Duration.ofSeconds(250)), MILLIS.parse("250s"));
        assertTrue(MILLIS.rule().endsWith("; without a unit, in milliseconds"), MILLIS::rule);
    }

    private static Optional<?> parse(String key, String text) {
        return Objects.requireNonNull(KEYS.get(key)).parse(text);
    }
}
