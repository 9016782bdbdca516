package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextRequest;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.status.monitor.OpenApplications;
import dev.hearth.testkit.TestingApplicationLoader;
import dev.hearth.testkit.storage.MemoryFileStores;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** JUnit extension with an application whose executor has two cores in this process. Ends with the test. */
final class LocalContext implements AfterEachCallback {
    static final int CORES = 2;
    static final String MASTER = "local[" + CORES + "]";

    /** Files in memory, which the application reads and writes with the scheme {@code mem}. */
    final MemoryFileStores memory = new MemoryFileStores();

    /** Results that contexts have reported to the cluster. */
    final List<ApplicationResult> results = new CopyOnWriteArrayList<>();

    private final DriverEngine.Application application = new EngineService(
                    (master, holder) -> PinnedManager.forEver(new TestingManager(CORES, results)),
                    settings -> {
                        throw new AssertionError("a local application opens no port");
                    },
                    new OpenApplications(),
                    settings -> {},
                    List.of(),
                    FileStoreRegistry.of(() -> List.of(memory)))
            .begin(
                    Settings.empty().with("test", "hearth.master", MASTER),
                    new TestingApplicationLoader(LocalContext.class));

    HearthContext open(String name, Map<String, String> settings) {
        return application.contexts().open(new ContextRequest(name, settings));
    }

    HearthContext open(Map<String, String> settings) {
        return open("test", settings);
    }

    HearthContext open() {
        return open(Map.of());
    }

    void killed() {
        application.killed();
    }

    void close() {
        application.close();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        application.close();
    }
}
