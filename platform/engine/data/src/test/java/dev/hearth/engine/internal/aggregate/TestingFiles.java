package dev.hearth.engine.internal.aggregate;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.disk.SegmentInput;
import dev.hearth.engine.internal.disk.SegmentSource;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.shuffle.FileSegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Segments in memory, which count open files and can be made corrupt. For tests; one thread. */
final class TestingFiles implements TemporaryFiles {
    /** Position of the first entry's key: after hash code, length and side. */
    static final int KEY_AT = 2 * Integer.BYTES + 1;

    private static final int NOWHERE = -1;
    private static final byte NO_TAG = 50;

    int created;
    int openMost;
    int corruptFrom = Integer.MAX_VALUE; // the first corrupt file
    int corruptAt = NOWHERE; // position that is overwritten in each frame, so that it is no valid record
    private int open;
    private long bytes;

    @Override
    public PartitionedFileWriter create(String subject, int parts) {
        return new Writer("file " + created++ + " of " + subject, parts, created > corruptFrom);
    }

    @Override
    public ReceivedFile receive(String subject) {
        throw new AssertionError(subject + ": spills are never received");
    }

    @Override
    public SegmentSource source(FileSegment part) {
        throw new AssertionError(part + ": spills are opened by their writer");
    }

    @Override
    public SegmentInput open(FileSegment part, SegmentSource source) {
        throw new AssertionError(part + ": spills are opened by their writer");
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {}

    private final class Writer implements PartitionedFileWriter {
        private final String file;
        private final boolean corrupt;
        private final List<List<byte[]>> frames = new ArrayList<>(); // by part
        private List<byte[]> part;
        private long written;
        private boolean ended;

        Writer(String file, int parts, boolean corrupt) {
            this.file = file;
            this.corrupt = corrupt;
            for (int number = 0; number < parts; number++) {
                frames.add(new ArrayList<>());
            }
            this.part = frames.get(0);
        }

        @Override
        public void begin(int number) {
            part = frames.get(number);
        }

        @Override
        public void write(byte[] source, int from, int length) {
            byte[] frame = Arrays.copyOfRange(source, from, from + length);
            if (corruptAt != NOWHERE) {
                frame[corruptAt] = NO_TAG;
            }
            part.add(frame);
            written += length;
            bytes += length;
        }

        @Override
        public long written() {
            return written;
        }

        @Override
        public PartitionedFile finish() {
            ended = true;
            return new Content(file, frames, written, corrupt);
        }

        @Override
        public void abandon() {
            if (!ended) {
                ended = true;
                bytes -= written;
            }
        }
    }

    private final class Content implements PartitionedFile {
        private final String file;
        private final List<List<byte[]>> frames;
        private final long length;
        private final boolean corrupt;
        private boolean deleted;

        Content(String file, List<List<byte[]>> frames, long length, boolean corrupt) {
            this.file = file;
            this.frames = frames;
            this.length = length;
            this.corrupt = corrupt;
        }

        @Override
        public int segments() {
            return frames.size();
        }

        @Override
        public long bytes(int part) {
            return frames.get(part).stream().mapToLong(frame -> frame.length).sum();
        }

        @Override
        public FileSegment segment(int part) {
            return new FileSegment(file, 0, part, 0, bytes(part));
        }

        @Override
        public SegmentInput open(int part) {
            if (deleted) {
                throw new AssertionError(file + " is opened after its deletion");
            }
            openMost = Math.max(openMost, ++open);
            return new SegmentInput() {
                private final List<byte[]> content = frames.get(part);
                private int next;
                private boolean closed;

                @Override
                public boolean next(RecordInput in) throws CorruptFileException {
                    if (corrupt) {
                        throw new CorruptFileException(file + ": frame " + next + " is corrupt");
                    }
                    if (next == content.size()) {
                        return false;
                    }
                    byte[] frame = content.get(next++);
                    in.on(frame, 0, frame.length);
                    return true;
                }

                @Override
                public void close() {
                    if (!closed) {
                        closed = true;
                        open--;
                    }
                }
            };
        }

        @Override
        public String file() {
            return file;
        }

        @Override
        public void delete() {
            if (!deleted) {
                deleted = true;
                bytes -= length;
            }
        }
    }

    int open() {
        return open;
    }
}
