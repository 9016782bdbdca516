package dev.hearth.spi.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** References to other settings and to the environment. */
class ReferenceResolverTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("TEAM", "blue", "DOLLAR", "${hearth.b}", "KEY_PASSWORD", "k");

    @ParameterizedTest
    @CsvSource({
        "${hearth.b}, b",
        "x${hearth.b}y${spark.b}z, xbybz",
        "${hearth.c}, cb",
        "${env:TEAM}, blue",
        "${env:DOLLAR}, ${hearth.b}",
        "$${hearth.b}, ${hearth.b}",
        "$$${hearth.b}, $${hearth.b}",
        "$hearth.b, $hearth.b",
        "${, ${",
        "${}, ${}",
        "${a b}, ${a b}"
    })
    void resolvesReferences(String written, String value) {
        Settings settings = conf("hearth.a=" + written, "hearth.b=b", "hearth.c=c${hearth.b}");
        assertEquals(Optional.of(value), settings.find("hearth.a"));
    }

    @Test
    void resolvesToTheHighestRankingValue() {
        Settings settings = conf("hearth.a=${hearth.b}", "hearth.b=low").with("application", "hearth.b", "high");
        assertEquals(Optional.of("high"), settings.find("hearth.a"));
    }

    @Test
    void takesProgrammaticValuesLiterally() {
        Settings settings = conf("hearth.b=b").with("orders", "hearth.a", "${hearth.b}");
        assertEquals(Optional.of("${hearth.b}"), settings.find("hearth.a"));
    }

    @Test
    void reportsACircleOnceWithItsChain() {
        Settings settings = conf("hearth.c=${hearth.a}", "hearth.a=${hearth.b}", "hearth.b=x${hearth.c}");
        for (String key : settings.keys()) {
            refuses(
                    "hearth.a: ${hearth.b} (expected: no circle of references:"
                            + " hearth.a -> hearth.b -> hearth.c -> hearth.a); from --conf",
                    settings,
                    key);
        }
        HearthException all = assertThrows(
                HearthException.class, () -> new SettingsCatalog(List.of(), Path.of("none")).check(settings));
        assertEquals(1, String.valueOf(all.getMessage()).lines().count(), all::getMessage);
        refuses(
                "hearth.a: ${hearth.a} (expected: no circle of references: hearth.a -> hearth.a); from --conf",
                conf("hearth.a=${hearth.a}"),
                "hearth.a");
    }

    @Test
    void rejectsAReferenceToAnUnsetKey() {
        refuses(
                "hearth.a: ${hearth.x} (expected: a reference to something that is set; hearth.x is not); from --conf",
                conf("hearth.a=${hearth.x}"),
                "hearth.a");
        refuses(
                "hearth.b: ${env:X} (expected: a reference to something that is set; env:X is not); from --conf",
                conf("hearth.a=${hearth.b}", "hearth.b=${env:X}"),
                "hearth.a");
    }

    @Test
    void leavesUnknownReferencesUnderSparkKeysUnresolved() {
        Settings settings = conf("spark.a=${app.log.dir}/${env:X}/${hearth.b}", "hearth.b=b");
        assertEquals(Optional.of("${app.log.dir}/${env:X}/b"), settings.find("hearth.a"));
    }

    @Test
    void limitsTheLengthOfAResolvedValue() {
        SettingsSources sources = new SettingsSources(Path.of(""), ENVIRONMENT);
        sources.conf("-c", "hearth.k0=x");
        for (int i = 1; i < 40; i++) {
            sources.conf("-c", "hearth.k" + i + "=${hearth.k" + (i - 1) + "}${hearth.k" + (i - 1) + "}");
        }
        Settings settings = sources.over(Settings.empty());
        HearthException failure = assertThrows(HearthException.class, () -> settings.find("hearth.k39"));
        assertTrue(String.valueOf(failure.getMessage()).contains("at most 1000 references for one value"));
        assertEquals(Optional.of(Secrets.HIDDEN), settings.shown("hearth.k39"));
    }

    @ParameterizedTest
    @CsvSource({
        "hearth.my.Password=x",
        "hearth.token.file=${hearth.b}",
        "hearth.tokenFile=${env:KEY_PASSWORD}",
        "hearth.a=${hearth.my.secret}",
        "hearth.a=${hearth.b}",
        "hearth.a=user:${env:KEY_PASSWORD}",
        "hearth.a=-Dx.keyPassword=x",
        "hearth.s3a.access.key=x",
        "hearth.ssl.keyPassphrase=x",
        "hearth.x.passwd=x",
        "hearth.url=jdbc:x://bob:hunter2@host/db"
    })
    void hidesSecretsAndReferencesToSecrets(String given) {
        Settings settings = conf(given, "hearth.b=${hearth.my.secret}", "hearth.my.secret=s");
        String key = given.substring(0, given.indexOf('='));
        assertEquals(Optional.of("(hidden)"), settings.shown(key));
        assertEquals(Optional.of("plain"), conf("hearth.plain=plain").shown("hearth.plain"));
        assertEquals(Optional.of("/x"), conf("hearth.token.file=/x").shown("hearth.token.file"), "a path");
    }

    private static void refuses(String message, Settings settings, String key) {
        HearthException failure = assertThrows(HearthException.class, () -> settings.find(key));
        assertEquals("BAD_SETTING", failure.code());
        assertEquals(message, failure.getMessage());
    }

    private static Settings conf(String... texts) {
        SettingsSources sources = new SettingsSources(Path.of(""), ENVIRONMENT);
        for (String text : texts) {
            sources.conf("--conf", text);
        }
        return sources.over(Settings.empty());
    }
}
