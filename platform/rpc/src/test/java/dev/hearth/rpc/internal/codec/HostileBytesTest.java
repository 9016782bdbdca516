package dev.hearth.rpc.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any bytes yield a message or a typed failure, and decoding ends. A failure prints its seed. */
class HostileBytesTest {
    private static final int ROUNDS = 20_000;
    private static final List<Record> MESSAGES = List.of(
            Samples.everything(), Samples.bush(30), Samples.chain(40), new Samples.Nothing(), Samples.smalls(1));

    private final ProtocolCodec codec = new ProtocolCodec(Samples.PROTOCOL);

    @Test
    void survivesTruncationAnywhere() {
        for (Record message : MESSAGES) {
            byte[] whole = Samples.encode(Samples.PROTOCOL, message);
            for (int length = 0; length < whole.length; length++) {
                read(Arrays.copyOf(whole, length));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void survivesRandomBytes(long seed) {
        Random random = new Random(seed);
        int messages = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[1 + random.nextInt(200)];
            random.nextBytes(bytes);
            bytes[0] = (byte) (1 + random.nextInt(5)); // mostly a valid message number
            messages += read(bytes) ? 1 : 0;
        }
        assertTrue(messages > 0 && messages < ROUNDS, messages + " messages: the test reaches one side only");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void survivesMutation(long seed) {
        Random random = new Random(seed);
        List<byte[]> originals = MESSAGES.stream()
                .map(message -> Samples.encode(Samples.PROTOCOL, message))
                .toList();
        int messages = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = originals.get(random.nextInt(originals.size())).clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            messages += read(bytes) ? 1 : 0;
        }
        assertTrue(messages > 0 && messages < ROUNDS, messages + " messages: the test reaches one side only");
    }

    /** Whether the bytes were a message; if so, it can be encoded again. */
    private boolean read(byte[] bytes) {
        Record message;
        try {
            message = Samples.decode(codec, bytes);
        } catch (HearthException failure) {
            assertEquals(ErrorCode.MALFORMED_MESSAGE.name(), failure.code());
            return false;
        }
        Samples.encode(codec, message);
        return true;
    }
}
