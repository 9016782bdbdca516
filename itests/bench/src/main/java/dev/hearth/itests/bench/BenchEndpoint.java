package dev.hearth.itests.bench;

import dev.hearth.itests.bench.BenchMessages.Count;
import dev.hearth.itests.bench.BenchMessages.Letter;
import dev.hearth.itests.bench.BenchMessages.Part;
import dev.hearth.itests.bench.BenchMessages.ReadPart;
import dev.hearth.itests.bench.BenchMessages.Received;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;

/** The server's side of every work: gives letters back, counts them, reads parts of a file. Owned by its endpoint. */
final class BenchEndpoint {
    private final String name;
    private final FileParts parts;
    private long letters;

    BenchEndpoint(String name, FileParts parts) {
        this.name = name;
        this.parts = parts;
    }

    RpcEndpoint receiver() {
        Receiver others = Receiver.of(name)
                .answer(Received.class, (message, peer) -> takeCount())
                .answer(ReadPart.class, (message, peer) -> new Part(parts.read(message.offset(), message.bytes())))
                .build();
        return new RpcEndpoint() {
            @Override
            public void receive(Record message, RpcCall call) {
                if (!(message instanceof Letter)) {
                    others.receive(message, call);
                } else if (call.asked()) {
                    call.reply(message);
                } else {
                    letters++;
                }
            }

            @Override
            public void peerLost(Peer peer, String reason) {
                letters = 0;
            }
        };
    }

    private Count takeCount() {
        Count count = new Count(letters);
        letters = 0;
        return count;
    }
}
