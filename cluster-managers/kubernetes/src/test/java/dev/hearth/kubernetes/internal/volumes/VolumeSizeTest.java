package dev.hearth.kubernetes.internal.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeSizeTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "1024, 1024", "1k, 1000", "1Ki, 1024", "2Mi, 2097152", "1.5Gi, 1610612736", "3G, 3000000000"})
    void readsSizes(String text, String bytes) {
        assertEquals(0, new BigDecimal(bytes).compareTo(VolumeSize.bytes(text).orElseThrow()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Gi", "-1", "1 Gi", "1gi", "1KB", "ten", "1Ki5"})
    void refusesOtherTexts(String text) {
        assertEquals(Optional.empty(), VolumeSize.bytes(text));
    }

    @Test
    void comparesAcrossUnits() {
        assertTrue(VolumeSize.isEnough("1Gi", "1G"));
        assertTrue(VolumeSize.isEnough("1Gi", "1024Mi"));
        assertFalse(VolumeSize.isEnough("1G", "1Gi"));
        assertFalse(VolumeSize.isEnough("", "1Gi"));
    }
}
