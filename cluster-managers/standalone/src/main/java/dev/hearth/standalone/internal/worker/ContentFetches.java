package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.Streams;
import dev.hearth.standalone.internal.contents.HeldContents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the files of drivers from the master into the content store of a worker, each content once at a time, and links
 * them into the directories of the drivers. Owned by a loop for disks, the only one that may block.
 */
public final class ContentFetches implements DriverFiles {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Worker");

    private final Streams streams;
    private final HeldContents contents;
    private final EventLoop disk;
    /** Fetches that wait for the end of another one's transfer, by its content. */
    private final Map<ContentId, List<Runnable>> transfers = new LinkedHashMap<>();

    public ContentFetches(Streams streams, HeldContents contents, EventLoop disk) {
        this.streams = streams;
        this.contents = contents;
        this.disk = disk;
    }

    @Override
    public Fetch fetch(Request request) {
        ContentFetch fetch = new ContentFetch(request, this);
        disk.execute(fetch::begin);
        return fetch;
    }

    @Override
    public void remove(Request request) {
        disk.execute(() -> {
            try {
                new PlacedContents(request).remove();
            } catch (IOException failure) { // the next cleanup of the work directory does it
                LOG.warn("uploaded files of {}: not removed: {}", request.driver(), failure.toString());
            }
        });
    }

    Streams streams() {
        return streams;
    }

    HeldContents contents() {
        return contents;
    }

    EventLoop disk() {
        return disk;
    }

    /** Whether the caller may transfer {@code content} now; otherwise {@code later} runs when it may try again. */
    boolean enter(ContentAddress content, Runnable later) {
        List<Runnable> waiting = transfers.get(content.content());
        if (waiting == null) {
            transfers.put(content.content(), new ArrayList<>());
            return true;
        }
        waiting.add(later);
        return false;
    }

    /** Ends the transfer of {@code content} by the caller, successful or not. */
    void leave(ContentAddress content) {
        List<Runnable> waiting = transfers.remove(content.content());
        if (waiting != null) {
            waiting.forEach(disk::execute);
        }
    }
}
