package dev.hearth.engine.internal.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Files below a directory that this process has open, as the operating system lists them. */
public final class OpenFileDescriptors {
    private OpenFileDescriptors() {}

    public static List<String> below(Path directory) throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                if (Files.isSymbolicLink(descriptor)) { // the descriptor of this listing is closed by now
                    String target = Files.readSymbolicLink(descriptor).toString();
                    if (target.startsWith(directory.toString())) {
                        open.add(target);
                    }
                }
            }
        }
        return open;
    }
}
