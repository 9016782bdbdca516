package dev.hearth.rpc.internal.bulk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Optional;

/** Describes disk errors for other processes. Omits file paths, which only the local log may contain. Stateless. */
final class DiskErrorMessages {
    private DiskErrorMessages() {}

    static String of(IOException failure) {
        Optional<String> text = Optional.ofNullable(
                failure instanceof FileSystemException named ? named.getReason() : failure.getMessage());
        return text.filter(DiskErrorMessages::containsNoPath)
                .orElse(failure.getClass().getSimpleName());
    }

    private static boolean containsNoPath(String text) {
        return !text.isBlank() && text.indexOf('/') < 0 && text.indexOf('\\') < 0;
    }
}
