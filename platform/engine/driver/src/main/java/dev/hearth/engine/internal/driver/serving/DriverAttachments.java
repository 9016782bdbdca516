package dev.hearth.engine.internal.driver.serving;

import dev.hearth.engine.internal.attachments.AttachedFiles;
import dev.hearth.engine.internal.attachments.Attachment;
import dev.hearth.engine.internal.attachments.AttachmentKind;
import dev.hearth.engine.internal.attachments.AttachmentRegistry;
import dev.hearth.engine.internal.attachments.ContentDownloader;
import dev.hearth.engine.internal.disk.ApplicationDirectories;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamContent;
import dev.hearth.spi.stream.StreamProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files, archives and jars that an application adds for its tasks: the driver's list, the content served to
 * executors, and the files of tasks in this process. The files of such tasks are links to the driver's copies, or
 * further copies where links are not possible. Any thread may call; lives as long as its driver.
 */
public final class DriverAttachments implements AutoCloseable {
    private final AttachedFiles files;
    private final AttachmentRegistry attachments;
    private volatile List<Attachment> latest = List.of(); // replaced by each addition

    /** {@code application} is the parent class loader of the added jars. */
    public DriverAttachments(Settings settings, ClassLoader application) {
        ApplicationDirectories directory = new LazyDirectory(settings);
        this.files = new AttachedFiles(directory, application, this::take);
        this.attachments = new AttachmentRegistry(directory, all -> {
            files.update(all);
            latest = all;
        });
    }

    /** The driver's list of attachments, to which the application adds. */
    public AttachmentRegistry attachments() {
        return attachments;
    }

    /** All attachments; the same object until the next addition. */
    public List<Attachment> latest() {
        return latest;
    }

    /** The content of an attachment for executors in other processes, by its hash. */
    Optional<StreamContent> open(String content) throws IOException {
        boolean known = latest.stream()
                .anyMatch(attachment -> attachment.content().sha256().equals(content));
        return known
                ? StreamProvider.file(attachments.content(new ContentId(content)))
                        .open("")
                : Optional.empty();
    }

    /** The attached files for tasks of this process. */
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
                == AttachmentKind.FILE; // a task may write to the file, and the driver's copy must not change
        Path content = attachments.content(attachment.content());
        ContentDownloader.place("attached file " + attachment.name(), content, target, own);
    }

    @Override
    public void close() {
        files.close();
    }
}
