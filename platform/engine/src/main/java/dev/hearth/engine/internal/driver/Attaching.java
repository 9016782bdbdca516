package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.attachments.AttachedFiles;
import dev.hearth.engine.internal.attachments.Attachment;
import dev.hearth.engine.internal.attachments.AttachmentKind;
import dev.hearth.engine.internal.attachments.Attachments;
import dev.hearth.engine.internal.disk.ApplicationDirectory;
import dev.hearth.engine.internal.disk.DiskSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an application attaches for its tasks, and where tasks of this process find it: links to the driver's copies, or copies
 * of these where links cannot be made. Any thread may call; lives as long as its driver.
 */
final class Attaching implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Attaching.class);

    private final AttachedFiles files;
    private final Attachments attachments;

    Attaching(DriverSetup setup) {
        ApplicationDirectory directory = new ApplicationDirectory(() -> DiskSettings.from(setup.settings()));
        this.files = new AttachedFiles(directory, setup.code().classes(), this::take);
        this.attachments = new Attachments(directory, files::update);
    }

    /** The driver's list, and what it serves. */
    Attachments attachments() {
        return attachments;
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
        Path content = attachments.content(attachment.content());
        if (attachment.kind() != AttachmentKind.FILE) { // a file may be written to by tasks, the driver's copy must not
            try {
                Files.createLink(target, content);
                return;
            } catch (IOException | UnsupportedOperationException unlinked) {
                LOG.debug("attached file {}: copied, as links cannot be made", attachment.name(), unlinked);
            }
        }
        Files.copy(content, target);
    }

    @Override
    public void close() {
        files.close();
    }
}
