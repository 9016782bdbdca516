package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.StreamRange;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/** Request on a connection for bulk data. Names in it are untrusted; the serving process validates them. */
sealed interface BulkRequest {
    BulkFrameKind kind();

    /** Name of the requested stream or directory, or of the offered content. Error texts begin with it. */
    String subject();

    byte[] body();

    <R> R accept(Handler<R> handler);

    /** Request for a range of bytes of a named stream. */
    record Fetch(String name, StreamRange range) implements BulkRequest {
        private static final long NO_LENGTH = -1;

        @Override
        public BulkFrameKind kind() {
            return BulkFrameKind.FETCH;
        }

        @Override
        public String subject() {
            return "stream " + StreamNames.shown(name);
        }

        @Override
        public byte[] body() {
            return BulkWireFormat.body(out -> {
                BulkWireFormat.putText(out, name);
                out.writeLong(range.offset()).writeLong(range.length().orElse(NO_LENGTH));
                out.writeBoolean(range.tag().isPresent());
                range.tag().ifPresent(tag -> BulkWireFormat.putText(out, tag));
            });
        }

        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onFetch(this);
        }

        private static Fetch read(ByteBuffer in) throws MalformedFrame {
            String name = BulkWireFormat.text(in, BulkLimits.NAME_CHARS_MAX);
            long offset = in.getLong();
            long length = in.getLong();
            Optional<String> tag =
                    in.get() != 0 ? Optional.of(BulkWireFormat.text(in, BulkLimits.TAG_CHARS_MAX)) : Optional.empty();
            return new Fetch(
                    name,
                    new StreamRange(offset, length == NO_LENGTH ? OptionalLong.empty() : OptionalLong.of(length), tag));
        }
    }

    /** Request for the entries of a directory of streams. */
    record Listing(String name) implements BulkRequest {
        @Override
        public BulkFrameKind kind() {
            return BulkFrameKind.LIST;
        }

        @Override
        public String subject() {
            return "directory " + StreamNames.shown(name);
        }

        @Override
        public byte[] body() {
            return BulkWireFormat.body(out -> BulkWireFormat.putText(out, name));
        }

        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onListing(this);
        }
    }

    /** Offers content (a file identified by its hash) for the content store of the remote process. */
    record Offer(ContentId content, long size) implements BulkRequest {
        private static final int HASH_CHARS = 64;

        @Override
        public BulkFrameKind kind() {
            return BulkFrameKind.OFFER;
        }

        @Override
        public String subject() {
            return "content " + content;
        }

        @Override
        public byte[] body() {
            return BulkWireFormat.body(out -> {
                BulkWireFormat.putText(out, content.sha256());
                out.writeLong(size);
            });
        }

        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onOffer(this);
        }

        private static Offer read(ByteBuffer in) throws MalformedFrame {
            Offer offer = new Offer(new ContentId(BulkWireFormat.text(in, HASH_CHARS)), in.getLong());
            if (offer.size < 0) {
                throw new MalformedFrame("content of " + offer.size + " bytes (expected: 0 or more)");
            }
            return offer;
        }
    }

    /**
     * Reads the request whose frame has the kind {@code kind} and the body {@code body}. Returns empty if that kind of
     * frame is not a request.
     */
    static Optional<BulkRequest> read(BulkFrameKind kind, ByteBuffer body) throws MalformedFrame {
        return switch (kind) {
            case FETCH -> Optional.of(BulkWireFormat.parse(kind, body, Fetch::read));
            case LIST ->
                Optional.of(BulkWireFormat.parse(
                        kind, body, in -> new Listing(BulkWireFormat.text(in, BulkLimits.NAME_CHARS_MAX))));
            case OFFER -> Optional.of(BulkWireFormat.parse(kind, body, Offer::read));
            case CHUNK, ANSWER, END, FAILURE, WORKING -> Optional.empty();
        };
    }

    /** Visitor of a request, with one method per type of request. {@code R} is the type of their results. */
    interface Handler<R> {
        R onFetch(Fetch request);

        R onListing(Listing request);

        R onOffer(Offer request);
    }
}
