package dev.hearth.engine.internal.io;

import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;

/** Settings and stores with which one application reads files in one process. Immutable. */
public record InputAccess(FileSettings settings, ApplicationStores stores) {
    /** These stores with other settings. */
    public InputAccess with(FileSettings other) {
        return new InputAccess(other, stores);
    }

    /** Whether there is a file or directory of this name, as far as its store knows. */
    boolean exists(FileName file) {
        try {
            return stores.of(file).look(file).isPresent();
        } catch (IOException unknown) { // the caller then reports the failure that made it ask
            return true;
        }
    }

    /** The length of a file; 0 if it is missing, which the next read of the file reports. */
    long length(FileName file) throws IOException {
        return stores.of(file).look(file).map(FileEntry::length).orElse(0L);
    }
}
