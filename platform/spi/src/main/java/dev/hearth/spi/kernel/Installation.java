package dev.hearth.spi.kernel;

import dev.hearth.spi.stream.ContentId;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Installation from which this process runs, as a file that cluster managers send to other machines. Implemented by the
 * module kernel. Any thread may call.
 */
@ProviderType
public interface Installation {
    /** Directory of the installation. */
    Path home();

    /**
     * Writes an archive of the installation to the file {@code target}, replacing an older file, and returns its hash.
     * Unpacked on another machine, it runs processes of {@code roles}. It is a tar file with lib/, bin/, the files of
     * the roles and their bundles, without conf/ and deploy/. The same installation and roles give the same bytes. A
     * copy is kept, so that later calls neither pack nor hash the files again. May wait for disks. Fails with {@code
     * BAD_ARGUMENT} for an unknown role, and with {@code PATH_MISSING} or {@code DISK_FAILED} if the target cannot be
     * written; then there is no file of that name, or the older one.
     */
    ContentId archive(Set<String> roles, Path target);

    /**
     * Returns the archive of {@link #archive}, compressed by gzip, without a copy of it if one is kept. If none can be kept,
     * it is the file {@code otherwise}, which the caller deletes. May wait for disks.
     */
    PackedFile compressed(Set<String> roles, Path otherwise);

    /**
     * Archive of classes for processes that {@link dev.hearth.spi.process.ProcessLauncher#command(String, java.util.List,
     * String, String)} starts from an unpacked archive of this installation, in the directory {@code hearth} of their working
     * directory. It is a file {@code classes.jsa} in a tar file compressed by gzip, made in the background after a first
     * start. Empty until then, and where none can be made.
     */
    default Optional<PackedFile> classes() {
        return Optional.empty();
    }
}
