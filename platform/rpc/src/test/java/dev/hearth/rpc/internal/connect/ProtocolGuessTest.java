package dev.hearth.rpc.internal.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which first bytes are taken for a frame of Spark's RPC. */
class ProtocolGuessTest {
    @ParameterizedTest
    @CsvSource({
        "000000000000010503000000000000002a000000f0, true", // a question
        "000000000000002309, true", // a message without answer
        "0000000000000008ff, false", // no type of message
        "000000010000010503, false", // longer than Spark sends
        "00000000ffffffff03, false",
        "0000000000000105, false", // too few bytes to say
        "475420202020202020, false"
    })
    void recognisesTheRpcOfSpark(String bytes, boolean spark) {
        assertEquals(
                spark,
                ProtocolGuess.isSpark(Unpooled.wrappedBuffer(HexFormat.of().parseHex(bytes.strip()))));
    }
}
