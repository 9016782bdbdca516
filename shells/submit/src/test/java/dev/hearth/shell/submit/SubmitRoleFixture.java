package dev.hearth.shell.submit;

import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.application.UnsupportedSettings;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.packages.PackageListener;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsCatalog;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.testkit.ScriptedCluster;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingRules;
import dev.hearth.testkit.storage.MemoryFileStores;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;

/** Role {@code submit} with a scripted cluster, and what it writes. */
abstract class SubmitRoleFixture {
    @TempDir
    Path directory = Path.of("");

    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final ScriptedCluster cluster = new ScriptedCluster();
    final List<String> loaded = new ArrayList<>();
    /** Packages that the role has asked for. */
    final List<String> resolved = new ArrayList<>();
    /** Settings by which the role has configured the log. */
    final List<String> logged = new ArrayList<>();

    /** Receivers of signals while a role accepts them. */
    final List<Consumer<EndSignal>> signals = new CopyOnWriteArrayList<>();

    private final ApplicationLoaders loaders = (application, jars) -> {
        loaded.add(application);
        throw ErrorCode.PATH_MISSING.failure("jar: not opened in this test");
    };
    private final DriverEngine engine = (settings, code) -> {
        throw new AssertionError("engine: begun (expected: not in this test)");
    };
    final SubmitRole role = role(false, SubmitStyle.HEARTH);
    final SubmitRole atTerminal = role(true, SubmitStyle.HEARTH);
    final SubmitRole ofSpark = role(false, SubmitStyle.SPARK);

    private SubmitRole role(boolean terminal, SubmitStyle style) {
        return new SubmitRole(
                (master, holder) -> PinnedManager.forEver(cluster),
                new Simulation(1).process("submit").factory(),
                loaders,
                engine,
                FileStoreRegistry.of(() -> List.of(new MemoryFileStores())),
                this::resolve,
                () -> new SettingsCatalog(List.of(new Declarations()), Path.of("none")),
                settings -> {},
                new TestingRules(
                        List.of("hearth\t--grace\t-\tN\thearth.driver.cores\tcluster\ttext\tlast\ttime to end")),
                new RecordingLogs(),
                directory,
                receiver -> {
                    signals.add(receiver);
                    return () -> signals.remove(receiver);
                },
                terminal,
                style);
    }

    private List<Path> resolve(PackageRequest request, PackageListener listener) {
        resolved.add(request.packages().toString());
        throw ErrorCode.PACKAGES_UNRESOLVED.failure("packages: not resolved in this test");
    }

    /** Records the settings of the log. */
    private final class RecordingLogs implements Logs {
        @Override
        public Map<String, String> levels() {
            return Map.of();
        }

        @Override
        public void setLevel(String logger, String level) {
            logged.add(logger + "=" + level);
        }

        @Override
        public void configure(Settings given) {
            given.keys().forEach(key -> logged.add(key + "=" + given.find(key).orElse("")));
        }
    }

    /** Declares settings as the bundles of a real process do. */
    private static final class Declarations implements SettingsGroup {
        @Override
        public String owner() {
            return "all";
        }

        @Override
        public List<SettingKey<?>> keys() {
            List<SettingKey<?>> keys = new ArrayList<>(ApplicationSettings.KEYS);
            keys.addAll(UnsupportedSettings.KEYS);
            keys.add(SettingsCatalog.STRICT);
            return keys;
        }
    }

    int submit(String... more) throws Exception {
        return submit(role, more);
    }

    int submit(SubmitRole chosen, String... more) throws Exception {
        List<String> words =
                new ArrayList<>(List.of("--master", "hearth://h:7077", "--deploy-mode", "cluster", "--class", "App"));
        words.addAll(List.of(more));
        words.add(jar());
        return run(chosen, words.toArray(new String[0]));
    }

    int run(String... words) throws Exception {
        return run(role, words);
    }

    int run(SubmitRole chosen, String... words) throws Exception {
        RoleLaunch launch = new RoleLaunch(
                directory,
                List.of(words),
                Map.of(),
                Settings.empty(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return chosen.run(launch).status();
    }

    String jar() throws IOException {
        Path jar = directory.resolve("a.jar");
        Files.writeString(jar, "opened by nobody here");
        return jar.toString();
    }

    static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
