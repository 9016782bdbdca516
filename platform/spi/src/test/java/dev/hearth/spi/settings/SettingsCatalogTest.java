package dev.hearth.spi.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks and descriptions of known and unknown settings. */
class SettingsCatalogTest {
    @TempDir
    Path home = Path.of("");

    private SettingsCatalog catalog = new SettingsCatalog(List.of(), Path.of(""));

    @BeforeEach
    void shipAList() throws IOException {
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("lib/settings.tsv"), """
                # key\ttype\tdefault\towner
                hearth.kube.namespace\ttext\tdefault\tkubernetes
                hearth.kube.label.*\ttext\t\tkubernetes
                """);
        catalog = new SettingsCatalog(
                List.of(new Room(
                        SettingsCatalog.STRICT,
                        SettingKey.integer("hearth.executor.cores", 1, 1, 64, "Cores."),
                        SettingKey.flag("hearth.executor.pinned", false, "Pinned."),
                        SettingKey.text("hearth.executorEnv.*", "", "Variables."),
                        SettingKey.secret("hearth.rpc.secret", "A secret."))),
                home);
    }

    @Test
    void readsTheListOfAnInstallationOnce() throws IOException {
        Supplier<List<String>> list = SettingsCatalog.listOf(home);
        Settings known = Settings.empty()
                .with(
                        "test",
                        Map.of("hearth.kube.namespace", "a", "hearth.kube.label.team", "b", "spark.kube.label.x", "c"));
        assertEquals(List.of(), new SettingsCatalog(List.of(), list).check(known));
        Files.delete(home.resolve("lib/settings.tsv"));
        assertEquals(List.of(), new SettingsCatalog(List.of(), list).check(known));
        assertEquals(2, new SettingsCatalog(List.of(), home).check(known).size(), "without a list");
    }

    private static final class Room implements SettingsGroup {
        private final List<SettingKey<?>> keys;

        Room(SettingKey<?>... keys) {
            this.keys = List.of(keys);
        }

        @Override
        public String owner() {
            return "module";
        }

        @Override
        public List<SettingKey<?>> keys() {
            return keys;
        }
    }

    @Test
    void knowsActiveAndShippedSettingsAndFamiliesAndIgnoresSparksOwn() {
        assertEquals(
                List.of(),
                catalog.check(Settings.empty()
                        .with(
                                "test",
                                Map.of(
                                        "hearth.executor.cores", "2",
                                        "hearth.executorEnv.A.B", "x",
                                        "hearth.kube.namespace", "n",
                                        "hearth.kube.label.a", "b",
                                        "spark.own.cores", "many"))));
    }

    @Test
    void warnsOfAKeyOfSparkThatIsNearlyADeclaredOneEvenWhenStrict() {
        Settings settings = Settings.empty()
                .with(
                        "--conf",
                        Map.of(
                                "spark.executr.cores", "2",
                                "spark.executor.pined", "x",
                                "spark.exec.corse", "3",
                                "hearth.conf.strict", "true"));
        assertEquals(
                List.of(
                        "spark.executor.pined: no such setting (expected: one that docs/configuration.md lists); from"
                                + " --conf; did you mean spark.executor.pinned?",
                        "spark.executr.cores: no such setting (expected: one that docs/configuration.md lists); from"
                                + " --conf; did you mean spark.executor.cores?"),
                catalog.check(settings));
    }

    @Test
    void showsPathsOfSecretsAndHidesOnlyWhatIsSet() {
        Settings settings = Settings.empty()
                .with("--conf", Map.of("hearth.rpc.secret.file", "/conf/secret", "hearth.b.token", "t"));
        Map<String, String> shown = new TreeMap<>();
        catalog.describe(settings).forEach(each -> shown.put(each.key(), each.value()));
        assertEquals("/conf/secret", shown.get("hearth.rpc.secret.file"));
        assertEquals("(hidden)", shown.get("hearth.b.token"));
        assertEquals("", shown.get("hearth.rpc.secret"), "not set");
    }

    @Test
    void warnsOfAnUnknownKeyWithTheNearestKnownOne() {
        assertEquals(
                List.of(
                        "hearth.executr.cores: no such setting (expected: one that docs/configuration.md lists); from --conf;"
                                + " did you mean hearth.executor.cores?",
                        "hearth.kube.namespaces: no such setting (expected: one that docs/configuration.md lists); from --conf;"
                                + " did you mean hearth.kube.namespace?",
                        "hearth.lib.x: no such setting (expected: one that docs/configuration.md lists); from --conf",
                        "hearth.zzz: no such setting (expected: one that docs/configuration.md lists); from --conf"),
                catalog.check(Settings.empty()
                        .with(
                                "--conf",
                                Map.of(
                                        "hearth.executr.cores",
                                        "2",
                                        "hearth.kube.namespaces",
                                        "n",
                                        "hearth.zzz",
                                        "",
                                        "hearth.lib.x",
                                        "",
                                        "other",
                                        ""))));
    }

    @Test
    void refusesUnknownKeysWhenStrict() {
        Settings settings = Settings.empty().with("--conf", Map.of("hearth.zzz", "", "hearth.conf.strict", "true"));
        HearthException failure = assertThrows(HearthException.class, () -> catalog.check(settings));
        assertEquals("BAD_SETTING", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith("hearth.zzz: no such setting"), failure::getMessage);
    }

    @Test
    void rejectsAllInvalidValuesTogether() {
        Settings settings = Settings.empty()
                .with("--conf", Map.of("hearth.executor.cores", "0", "hearth.rpc.secret", "s"))
                .with("conf/hearth-defaults.conf line 12", "hearth.executor.pinned", "maybe");
        HearthException failure = assertThrows(HearthException.class, () -> catalog.check(settings));
        assertEquals("""
                2 invalid settings:
                  hearth.executor.cores: 0 (expected: a whole number, 1 to 64); from --conf
                  hearth.executor.pinned: maybe (expected: true or false); from conf/hearth-defaults.conf line 12""", failure.getMessage());
    }

    @Test
    void worksWithoutAShippedList() {
        SettingsCatalog bare = new SettingsCatalog(List.of(), home.resolve("none"));
        assertEquals(
                1, bare.check(Settings.empty().with("test", "hearth.a", "")).size());
    }

    @Test
    void describesSetDeclaredAndShippedSettings() {
        Settings settings = Settings.empty()
                .with("--conf", Map.of("hearth.executor.cores", "3", "hearth.rpc.secret", "s", "spark.own", "o"));
        Map<String, String> lines = new TreeMap<>();
        for (SettingsCatalog.Description each : catalog.describe(settings)) {
            lines.put(
                    each.key(),
                    String.join("|", each.value(), each.origin(), each.byDefault(), each.owner(), each.description()));
        }
        assertEquals("3|--conf|1|module|Cores.", lines.get("hearth.executor.cores"));
        assertEquals("false|default|false|module|Pinned.", lines.get("hearth.executor.pinned"));
        assertEquals("(hidden)|--conf||module|A secret.", lines.get("hearth.rpc.secret"));
        assertEquals("o|--conf|||", lines.get("hearth.own"));
        assertEquals("default|default|default|kubernetes|", lines.get("hearth.kube.namespace"));
        assertEquals(8, lines.size(), lines::toString);
    }
}
