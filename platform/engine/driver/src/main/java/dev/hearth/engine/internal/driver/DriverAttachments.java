package dev.hearth.engine.internal.driver;

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
 * What an application attaches for its tasks, and where tasks of this process find it: links to the driver's copies, or copies
 * of these where links cannot be made. Any thread may call; lives as long as its driver.
 */
final class DriverAttachments implements AutoCloseable {
    private final AttachedFiles files;
    private final AttachmentRegistry attachments;
    private volatile List<Attachment> latest = List.of(); // another one after each addition

    /** {@code application} are the classes that the classes of added jars build on. */
    DriverAttachments(Settings settings, ClassLoader application) {
        ApplicationDirectories directory = new LazyDirectory(settings);
        this.files = new AttachedFiles(directory, application, this::take);
        this.attachments = new AttachmentRegistry(directory, all -> {
            files.update(all);
            latest = all;
        });
    }

    /** The driver's list, and what it serves. */
    AttachmentRegistry attachments() {
        return attachments;
    }

    /** All, as of the last addition: the same list until the next. */
    List<Attachment> latest() {
        return latest;
    }

    /** One of them for executors in other processes, by its hash. */
    Optional<StreamContent> open(String content) throws IOException {
        boolean known = latest.stream()
                .anyMatch(attachment -> attachment.content().sha256().equals(content));
        return known
                ? StreamProvider.file(attachments.content(new ContentId(content)))
                        .open("")
                : Optional.empty();
    }

    /** What tasks of this process find. */
    AttachedFiles files() {
        return files;
    }

    List<String> names(AttachmentKind... kinds) {
        List<AttachmentKind> wanted = List.of(kinds);
        return attachments.all().stream()
                .filter(attachment -> wanted.contains(attachment.kind()))
                .map(Attachment::name)
                .toList();
    }

    private void take(Attachment attachment, Path target) throws IOException {
        boolean own =
                attachment.kind() == AttachmentKind.FILE; // tasks may write to it, the driver's copy must not change
        Path content = attachments.content(attachment.content());
        ContentDownloader.place("attached file " + attachment.name(), content, target, own);
    }

    @Override
    public void close() {
        files.close();
    }
}
