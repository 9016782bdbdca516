package dev.hearth.spi.stream;

import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Bulk data of one scope: what this process serves to others, and what it fetches from them.
 * <p>Names are paths such as {@code jars/app.jar}; who may ask is decided by the scope. Bytes are checked piece by piece
 * on the way, and a slow reader slows its own stream only. Any thread may call.
 */
@ProviderType
public interface Streams {
    /** Serves what {@code provider} finds under names that begin with {@code prefix}, without the prefix and its slash. */
    Registration serve(String prefix, StreamProvider provider);

    /**
     * Fetches a part of a stream. Fails with {@code STREAM_MISSING}, {@code STREAM_CHANGED} when the range names a tag and
     * the content has another by now, {@code STREAM_DAMAGED} when bytes arrive that are not what was sent, and as
     * connecting does. What {@code sink} has received by then is right.
     */
    Transfer fetch(RpcAddress from, String name, StreamRange range, StreamSink sink);

    /**
     * Fetches a whole stream into {@code target}, which appears complete or not at all. What an earlier attempt left beside
     * it is kept as far as it is still right; connections that break are made again, at growing intervals, a bounded
     * number of times.
     */
    CompletionStage<StreamInfo> download(RpcAddress from, String name, Path target);

    /** What stands in a served directory, in the order of the names. */
    CompletionStage<List<StreamEntry>> list(RpcAddress from, String directory);

    /** Lets peers of this scope put content into {@code store}. */
    Registration accept(ContentStore store);

    /**
     * Puts a file into the store of another process, unless it is there already, and goes on where an earlier attempt
     * stopped. Fails with {@code STREAM_MISSING} when nobody takes uploads there and {@code STORE_FULL} when it is too much.
     */
    CompletionStage<ContentId> upload(RpcAddress to, Path file);
}
