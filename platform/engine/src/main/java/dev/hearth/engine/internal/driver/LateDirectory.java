package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.attachments.FilePlace;
import dev.hearth.engine.internal.disk.ApplicationDirectory;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A directory of the application whose classes are loaded with the first file that is put there, as most programs attach none.
 * Any thread may call; guarded by itself.
 */
final class LateDirectory implements FilePlace {
    private final Settings settings;
    private @Nullable FilePlace made;
    private boolean closed;

    LateDirectory(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Path directory(String name) {
        return made().directory(name);
    }

    private synchronized FilePlace made() {
        FilePlace known = made;
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
        FilePlace known;
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

        static FilePlace of(Settings settings) {
            return new ApplicationDirectory(() -> DiskSettings.from(settings));
        }
    }
}
