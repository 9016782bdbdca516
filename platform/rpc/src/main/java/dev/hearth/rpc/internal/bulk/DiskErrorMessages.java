package dev.hearth.rpc.internal.bulk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Optional;

/** Why a disk refused something, for other processes: without where on it, which only the log here may say. Stateless. */
final class DiskErrorMessages {
    private DiskErrorMessages() {}

    static String of(IOException failure) {
        Optional<String> text = Optional.ofNullable(
                failure instanceof FileSystemException named ? named.getReason() : failure.getMessage());
        return text.filter(DiskErrorMessages::namesNoPlace)
                .orElse(failure.getClass().getSimpleName());
    }

    private static boolean namesNoPlace(String text) {
        return !text.isBlank() && text.indexOf('/') < 0 && text.indexOf('\\') < 0;
    }
}
