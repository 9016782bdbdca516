package dev.hearth.hadoop.internal;

import dev.hearth.spi.storage.StoreOutput;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Output to a file of Hadoop. Bytes are on the disks of all its DataNodes once it is closed. Owned by one thread. */
final class HadoopFileOutput extends StoreOutput {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopFileOutput.class);

    private final HadoopCall call;
    private final FSDataOutputStream out;
    private final boolean syncs;
    private boolean dirty; // whether bytes were written after the last sync
    private boolean ended;

    HadoopFileOutput(HadoopCall call, FSDataOutputStream out) {
        this.call = call;
        this.out = out;
        this.syncs = out.hasCapability(StreamCapabilities.HSYNC);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        dirty = true;
        call.run(() -> out.write(bytes, from, length));
    }

    @Override
    public void show() throws IOException {
        call.run(() -> {
            if (syncs) {
                out.hflush();
            } else {
                out.flush();
            }
        });
    }

    @Override
    public void force() throws IOException {
        if (!syncs) {
            show();
            return;
        }
        call.run(out::hsync);
        dirty = false;
    }

    @Override
    public void discard() {
        if (!ended) {
            ended = true;
            try {
                call.run(out::close); // ends the lease, so that the file can be removed and written again
            } catch (IOException failure) {
                LOG.debug("{}: not closed after a failure; its lease ends by itself", call.file(), failure);
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (!ended) {
            ended = true;
            call.run(() -> {
                try (out) {
                    if (dirty && syncs) {
                        out.hsync();
                    }
                }
            });
        }
    }
}
