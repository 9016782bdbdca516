package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.disk.ApplicationDirectories;
import dev.hearth.engine.internal.disk.ApplicationDirectory;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A directory of the application whose classes are loaded with the first file that is put there, as most programs attach none.
 * Any thread may call; guarded by itself.
 */
final class LazyDirectory implements ApplicationDirectories {
    private final Settings settings;
    private @Nullable ApplicationDirectories made;
    private boolean closed;

    LazyDirectory(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Path directory(String name) {
        return made().directory(name);
    }

    private synchronized ApplicationDirectories made() {
        ApplicationDirectories known = made;
        if (known == null) {
            known = OnDisk.of(settings);
            if (closed) {
                known.close(); // which has it refuse
            }
            made = known;
        }
        return known;
    }

    @Override
    public void close() {
        ApplicationDirectories known;
        synchronized (this) {
            closed = true;
            known = made;
        }
        if (known != null) {
            known.close();
        }
    }

    /** Apart, so that what is called here is loaded with the first call. */
    private static final class OnDisk {
        private OnDisk() {}

        static ApplicationDirectories of(Settings settings) {
            return new ApplicationDirectory(() -> DiskSettings.from(settings));
        }
    }
}
