package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;
import java.nio.file.Path;
import java.util.Locale;

/** Where the tasks of one job write: what {@link OutputCommitter} prepared, as it travels to them. Immutable. */
public record OutputTarget(String directory, String job, FileCodec codec) {
    static final String TEMPORARY = "_temporary";

    /** All that belongs to the job before it is committed. */
    Path temporary() {
        return Path.of(directory, TEMPORARY, job);
    }

    /** What tasks had leave to publish. */
    Path committed() {
        return temporary().resolve("committed");
    }

    Path attempt(int stageAttempt, int partition, int attempt) {
        return temporary().resolve("attempt-" + stageAttempt + "-" + partition + "-" + attempt);
    }

    /** The name of a partition's file. */
    public String part(int partition) {
        return String.format(Locale.ROOT, "part-%05d%s", partition, codec.suffix());
    }
}
