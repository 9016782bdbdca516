package dev.hearth.packages.internal;

import dev.hearth.spi.packages.PackageListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a resolver reports. */
final class RecordingListener implements PackageListener {
    final List<String> warnings = new CopyOnWriteArrayList<>();
    final List<String> notes = new CopyOnWriteArrayList<>();
    final List<String> downloads = new CopyOnWriteArrayList<>();

    @Override
    public void warned(String line) {
        warnings.add(line);
    }

    @Override
    public void noted(String line) {
        notes.add(line);
    }

    @Override
    public void progressed(String file, long bytes, int done, int known) {
        downloads.add(file + " " + bytes + ", " + done + " of " + known);
    }
}
