package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The states that may follow each state of a submission. */
class SubmissionStateTest {
    @ParameterizedTest
    @CsvSource({
        "SUBMITTED, RUNNING FINISHED UNKNOWN KILLED FAILED ERROR",
        "RUNNING, FINISHED RELAUNCHING UNKNOWN KILLED FAILED ERROR",
        "RELAUNCHING, SUBMITTED RUNNING KILLED FAILED ERROR",
        "UNKNOWN, RUNNING FINISHED RELAUNCHING KILLED FAILED ERROR",
        "FINISHED, ''",
        "KILLED, ''",
        "FAILED, ''",
        "ERROR, ''"
    })
    void leadsToTheseStatesAndToNoOther(SubmissionState state, String successors) {
        Set<SubmissionState> found =
                Arrays.stream(SubmissionState.values()).filter(state::leadsTo).collect(Collectors.toSet());
        assertEquals(
                Arrays.stream(successors.split(" "))
                        .filter(name -> !name.isEmpty())
                        .map(SubmissionState::valueOf)
                        .collect(Collectors.toSet()),
                found);
        assertEquals(found.isEmpty(), state.isFinal());
    }
}
