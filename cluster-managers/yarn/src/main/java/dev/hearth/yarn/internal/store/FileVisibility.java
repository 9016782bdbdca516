package dev.hearth.yarn.internal.store;

import dev.hearth.yarn.internal.line.ContainerFile.Visibility;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Rule by which a file is shared by all users of a node: everybody can read it and enter each directory above it.
 * Otherwise only its owner's applications share it. Remembers the answers for directories. Used by one thread.
 */
public final class FileVisibility {
    private static final int OTHERS_READ = 0004;
    private static final int OTHERS_ENTER = 0001;

    private final StoreFiles files;
    private final Map<String, Boolean> entered = new LinkedHashMap<>();

    public FileVisibility(StoreFiles files) {
        this.files = files;
    }

    /** Visibility of the file {@code path}. */
    public Visibility of(String path) throws IOException {
        if (!isEntered(parent(path))) {
            return Visibility.PRIVATE;
        }
        return isReadable(path) ? Visibility.PUBLIC : Visibility.PRIVATE;
    }

    private boolean isReadable(String path) throws IOException {
        Optional<StoredFile> file = files.look(path);
        return file.filter(found -> (found.permissions() & OTHERS_READ) != 0
                        && (!found.directory() || (found.permissions() & OTHERS_ENTER) != 0))
                .isPresent();
    }

    /** Whether everybody can enter {@code directory} and all above it; asks for the lowest first. */
    private boolean isEntered(String directory) throws IOException {
        Boolean known = entered.get(directory);
        if (known != null) {
            return known;
        }
        boolean open = files.look(directory)
                .filter(found -> (found.permissions() & OTHERS_ENTER) != 0)
                .isPresent();
        boolean all = open && (directory.equals("/") || isEntered(parent(directory)));
        entered.put(directory, all);
        return all;
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }
}
