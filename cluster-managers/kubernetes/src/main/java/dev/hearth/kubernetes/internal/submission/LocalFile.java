package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.pod.DriverContent.CarriedFile;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.stream.ContentId;
import java.nio.file.Path;
import java.util.Optional;

/**
 * File of the submitter's machine that the driver needs. {@code content} is present if the secret of the submission carries
 * the file; otherwise the submitter sends it to the running driver. Immutable.
 */
public record LocalFile(Path path, String sha256, long bytes, Optional<Bytes> content) {
    String name() {
        return path.getFileName().toString();
    }

    ContentAddress address() {
        return new ContentAddress(new ContentId(sha256), bytes, name());
    }

    Optional<CarriedFile> carried() {
        return content.map(bytesOfFile -> new CarriedFile(sha256, name(), bytesOfFile));
    }

    /** Path of the file in the driver's pod. */
    String place() {
        return carried()
                .map(CarriedFile::path)
                .orElse(DriverObjects.WORK_DIRECTORY + "/.uploads/" + sha256 + "/" + name());
    }

    @Override
    public String toString() {
        return path + ", " + bytes + " bytes";
    }
}
