import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';

// FFmpeg would write messages about every file to standard error; errors are reported as failures instead.
Log.setLevel(AV_LOG_QUIET);
