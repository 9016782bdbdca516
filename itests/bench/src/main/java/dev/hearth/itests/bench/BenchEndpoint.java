package dev.hearth.itests.bench;

import dev.hearth.itests.bench.BenchMessages.Count;
import dev.hearth.itests.bench.BenchMessages.Letter;
import dev.hearth.itests.bench.BenchMessages.Received;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;

/** The server's side of every work: gives letters back and counts them. Owned by its endpoint. */
final class BenchEndpoint {
    private final String name;
    private long letters;

    BenchEndpoint(String name) {
        this.name = name;
    }

    RpcEndpoint receiver() {
        Receiver others = Receiver.of(name)
                .answer(Received.class, (message, peer) -> takeCount())
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
