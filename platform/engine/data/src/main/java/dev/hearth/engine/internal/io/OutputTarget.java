package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Location that the tasks of one job write to; {@link OutputCommitter} creates it, and the driver sends it to the
 * tasks. Immutable.
 */
public record OutputTarget(String directory, String job, FileCodec codec) {
    static final String TEMPORARY = "_temporary";

    /** Directory of all files of the job before it is committed. */
    Path temporary() {
        return Path.of(directory, TEMPORARY, job);
    }

    /** Directory of the files that tasks committed. */
    Path committed() {
        return temporary().resolve("committed");
    }

    Path attempt(int stageAttempt, int partition, int attempt) {
        return temporary().resolve("attempt-" + stageAttempt + "-" + partition + "-" + attempt);
    }

    /** File name for a partition. */
    public String part(int partition) {
        return String.format(Locale.ROOT, "part-%05d%s", partition, codec.suffix());
    }
}
