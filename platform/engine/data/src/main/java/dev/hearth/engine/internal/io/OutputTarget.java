package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Output location of one job: its output directory, its id, and the codec of its part files. {@link OutputCommitter}
 * creates it on the driver, which sends it to the tasks that write there. Immutable.
 */
public record OutputTarget(String directory, String job, FileCodec codec) {
    static final String TEMPORARY = "_temporary";

    /**
     * The temporary directory below the output directory. It has all files that the job writes until the job is
     * committed.
     */
    Path temporary() {
        return Path.of(directory, TEMPORARY, job);
    }

    /** The directory, below {@link #temporary}, into which tasks move their finished files when they commit. */
    Path committed() {
        return temporary().resolve("committed");
    }

    Path attempt(int stageAttempt, int partition, int attempt) {
        return temporary().resolve("attempt-" + stageAttempt + "-" + partition + "-" + attempt);
    }

    /** The name of the part file of {@code partition}, with the suffix of the codec. */
    public String part(int partition) {
        return String.format(Locale.ROOT, "part-%05d%s", partition, codec.suffix());
    }
}
