package dev.hearth.yarn.internal.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.hadoop.AuditMark.Caller;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Marks of calls in audit logs. */
class AuditMarkTest {
    private final Configuration hadoop = new Configuration(false);

    @AfterEach
    void clear() {
        AuditMark.clear();
        assertNull(CallerContext.getCurrent());
    }

    @Test
    void namesTheProcessTheApplicationAndTheWordsOfTheUser() {
        hadoop.setBoolean("hadoop.caller.context.enabled", true);
        AuditMark.set(hadoop, Caller.CLIENT, "application_1_0001", Optional.empty());
        assertEquals(
                "HEARTH_CLIENT_application_1_0001", CallerContext.getCurrent().getContext());
        AuditMark.keep(Settings.empty().with("test", Map.of("spark.log.callerContext", "nightly")), hadoop);
        AuditMark.set(hadoop, Caller.APPMASTER, "application_1_0001", Optional.of(2));
        assertEquals(
                "HEARTH_APPMASTER_application_1_0001_2_nightly",
                CallerContext.getCurrent().getContext());
    }

    @Test
    void marksNothingAtAClusterThatTakesNoMarks() {
        AuditMark.set(hadoop, Caller.CLIENT, "application_1_0001", Optional.empty());
        assertNull(CallerContext.getCurrent());
    }
}
