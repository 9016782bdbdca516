package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.spi.storage.FileName;
import java.util.Locale;

/**
 * Output location of one job: its output directory, its id, and the codec of its part files. {@link OutputCommitter}
 * creates it on the driver, which sends it to the tasks that write there. The directory is the path of a local
 * directory, or a URI. Immutable.
 */
public record OutputTarget(String directory, String job, FileCodec codec) {
    static final String TEMPORARY = "_temporary";

    /**
     * The temporary directory below the output directory. It has all files that the job writes until the job is
     * committed.
     */
    FileName temporary() {
        return FileName.parse(directory).child(TEMPORARY).child(job);
    }

    /** The directory, below {@link #temporary}, into which tasks move their finished files when they commit. */
    FileName committed() {
        return temporary().child("committed");
    }

    FileName attempt(int stageAttempt, int partition, int attempt) {
        return temporary().child("attempt-" + stageAttempt + "-" + partition + "-" + attempt);
    }

    /** The name of the part file of {@code partition}, with the suffix of the codec. */
    public String part(int partition) {
        return String.format(Locale.ROOT, "part-%05d%s", partition, codec.suffix());
    }
}
