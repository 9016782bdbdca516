package dev.hearth.hadoop.internal;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;

/**
 * Hadoop's rename with options, which a NameNode performs as one step. File systems have it as a protected method, as
 * their public one does not say what happens to an existing target. Stateless.
 */
final class OptionsRename {
    private static final Method RENAME = method();

    private OptionsRename() {}

    private static Method method() {
        try {
            Method found = FileSystem.class.getDeclaredMethod("rename", Path.class, Path.class, Options.Rename[].class);
            found.setAccessible(true);
            return found;
        } catch (NoSuchMethodException missing) {
            throw new IllegalStateException("Hadoop has no rename with options (expected: version 3)", missing);
        }
    }

    /** Renames. Fails with Hadoop's FileAlreadyExistsException if the target exists, unless {@code replace}. */
    static void rename(FileSystem files, Path from, Path to, boolean replace) throws IOException {
        Options.Rename[] options = {replace ? Options.Rename.OVERWRITE : Options.Rename.NONE};
        try {
            RENAME.invoke(files, from, to, options);
        } catch (InvocationTargetException failure) {
            if (failure.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (failure.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failure.getCause());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible); // it was made accessible
        }
    }
}
