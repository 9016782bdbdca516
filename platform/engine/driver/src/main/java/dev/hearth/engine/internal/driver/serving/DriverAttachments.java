package dev.hearth.engine.internal.driver.serving;

import dev.hearth.engine.internal.attachments.AttachedFiles;
import dev.hearth.engine.internal.attachments.Attachment;
import dev.hearth.engine.internal.attachments.AttachmentKind;
import dev.hearth.engine.internal.attachments.AttachmentRegistry;
import dev.hearth.engine.internal.attachments.ContentDownloader;
import dev.hearth.engine.internal.disk.ApplicationDirectories;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files, archives and jars that an application adds for its tasks. Manages the driver's list, serves the content to
 * executors, and provides the files to tasks in this process. These tasks get links to the driver's copies, or further
 * copies where links are not possible. Thread-safe; exists as long as its driver.
 */
public final class DriverAttachments implements AutoCloseable {
    private final AttachedFiles files;
    private final AttachmentRegistry attachments;
    private volatile List<Attachment> latest = List.of(); // replaced by each addition

    /**
     * Creates the attachments of one application, at first none. {@code application} becomes the parent of the class
     * loader of the attached jars. Files are read from {@code stores}.
     */
    public DriverAttachments(Settings settings, ClassLoader application, ApplicationStores stores) {
        ApplicationDirectories directory = new LazyDirectory(settings);
        this.files = new AttachedFiles(directory, application, this::take);
        this.attachments = new AttachmentRegistry(directory, stores, all -> {
            files.update(all);
            latest = all;
        });
    }

    /** The driver's list of attachments, to which the application adds files, archives and jars. */
    public AttachmentRegistry attachments() {
        return attachments;
    }

    /**
     * All attachments that the application has added so far. Returns the same list object until another is added, so
     * callers can detect changes by identity.
     */
    public List<Attachment> latest() {
        return latest;
    }

    /**
     * The content of an attachment, for executors in other processes. {@code content} is the hash of the attachment.
     * Empty if there is no such attachment.
     */
    Optional<StreamContent> open(String content) throws IOException {
        boolean known = latest.stream()
                .anyMatch(attachment -> attachment.content().sha256().equals(content));
        return known
                ? StreamProvider.file(attachments.content(new ContentId(content)))
                        .open("")
                : Optional.empty();
    }

    /** The attached files as tasks in this process see them. */
    public AttachedFiles files() {
        return files;
    }

    public List<String> names(AttachmentKind... kinds) {
        List<AttachmentKind> wanted = List.of(kinds);
        return attachments.all().stream()
                .filter(attachment -> wanted.contains(attachment.kind()))
                .map(Attachment::name)
                .toList();
    }

    private void take(Attachment attachment, Path target) throws IOException {
        boolean own = attachment.kind()
                == AttachmentKind.FILE; // a task may write to its file, which must not change the driver's copy
        Path content = attachments.content(attachment.content());
        ContentDownloader.place("attached file " + attachment.name(), content, target, own);
    }

    @Override
    public void close() {
        files.close();
    }
}
