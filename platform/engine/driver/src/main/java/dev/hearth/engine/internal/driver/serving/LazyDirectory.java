package dev.hearth.engine.internal.driver.serving;

import dev.hearth.engine.internal.disk.ApplicationDirectories;
import dev.hearth.engine.internal.disk.ApplicationDirectory;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Directory of the application's attached files. The classes that manage it are loaded with the first attached file,
 * because most applications attach none. Thread-safe; guarded by its own lock.
 */
final class LazyDirectory implements ApplicationDirectories {
    private final Settings settings;
    private @Nullable ApplicationDirectories created;
    private boolean closed;

    LazyDirectory(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Path directory(String name) {
        return created().directory(name);
    }

    private synchronized ApplicationDirectories created() {
        ApplicationDirectories known = created;
        if (known == null) {
            known = OnDisk.of(settings);
            if (closed) {
                known.close(); // closed at once, so that the directory refuses new files
            }
            created = known;
        }
        return known;
    }

    @Override
    public void close() {
        ApplicationDirectories known;
        synchronized (this) {
            closed = true;
            known = created;
        }
        if (known != null) {
            known.close();
        }
    }

    /**
     * Creates the {@link ApplicationDirectory}. This code is in a separate class, so that the JVM loads {@link
     * ApplicationDirectory} and the classes which it uses only at the first call.
     */
    private static final class OnDisk {
        private OnDisk() {}

        static ApplicationDirectories of(Settings settings) {
            return new ApplicationDirectory(() -> DiskSettings.from(settings));
        }
    }
}
