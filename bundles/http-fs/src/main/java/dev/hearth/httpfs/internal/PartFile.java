package dev.hearth.httpfs.internal;

import dev.hearth.spi.storage.StoreException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * File that a transfer fills, and beside it the value with which a later transfer, also of another process, can continue
 * it. Guarded by the lock of the cache on its address.
 */
final class PartFile {
    private final Path file;
    private final Path validator;

    PartFile(Path file) {
        this.file = file;
        this.validator = file.resolveSibling(file.getFileName() + ".validator");
    }

    Path file() {
        return file;
    }

    /** The part of an earlier transfer, or none. */
    HttpTransfer.Part left() {
        try {
            return new HttpTransfer.Part(Files.size(file), Files.readString(validator));
        } catch (IOException none) { // missing, or unreadable, in which case the transfer starts at byte 0
            return HttpTransfer.Part.NONE;
        }
    }

    /** Opens the part to append from byte {@code at} on. {@code value} is the validator of its bytes. */
    RandomAccessFile open(long at, String value) throws IOException {
        try {
            if (at == 0) {
                delete(); // no bytes of another version beside the new validator
                Files.writeString(validator, value);
            }
            RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw");
            out.setLength(at);
            out.seek(at);
            return out;
        } catch (IOException failure) {
            throw unwritable(failure);
        }
    }

    StoreException unwritable(IOException failure) {
        return new StoreException(
                "it cannot be stored in " + file.getParent() + ", "
                        + (failure instanceof NoSuchFileException ? "no such directory" : failure.getMessage()),
                "make room there, or name another directory by XDG_CACHE_HOME",
                failure);
    }

    /** Renames the complete part to {@code target}. */
    void moveTo(Path target) throws IOException {
        try {
            Files.move(file, target);
            Files.deleteIfExists(validator);
        } catch (IOException failure) {
            throw unwritable(failure);
        }
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(validator);
    }
}
